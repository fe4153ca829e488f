import { describe, expect, test } from 'vitest';
import { OutcomeUnknownError, UncertainOperationError } from '../../src/index.ts';
import { atEachDoor } from '../../test-support/mocked.ts';
import { getRejection } from '../../test-support/rejection.ts';

atEachDoor((at) => {
  describe('with faults', () => {
    const vip = { name: 'A name of its own', color: 'pink' } as const;

    test.each(['lose-response', 'cut-response', 'drop-request'] as const)(
      '%s: applied once',
      async (effect) => {
        at.mock.faults.arm({ effect, operation: 'changeChat', times: 2 });
        const outcome = await at.client.tags.create(vip);
        expect(outcome).toMatchObject({ applied: true, replayed: effect !== 'drop-request' });
        const { records } = await at.client.tags.list();
        expect(records.filter(({ name }) => name === vip.name)).toHaveLength(1);
        expect(at.mock.operations()).toHaveLength(1);
      },
    );

    test('a second request in progress: the outcome is unknown at once, and resume finishes it', async () => {
      const endDelays = at.holdDelays();
      at.mock.faults.arm({ effect: 'delay', operation: 'changeChat', delayMs: 150 });
      const error = await getRejection(at.client.tags.create(vip, { attemptTimeoutMs: 100 }));
      expect(error).toBeInstanceOf(UncertainOperationError);
      endDelays();
      await expect.poll(() => at.mock.operations()).toMatchObject([{ state: 'applied' }]);
      expect(await (error as UncertainOperationError).resume?.()).toMatchObject({
        applied: true,
        replayed: true,
      });
    });

    test('an uncertain operation is never polled', async () => {
      at.mock.faults.arm({ effect: 'uncertain', answer: 502, applied: false });
      expect(await getRejection(at.client.tags.create(vip))).toBeInstanceOf(UncertainOperationError);
      const before = at.mock.requests.list().length;
      const [outcome] = await at.client.operations.resumeAll();
      expect(outcome).toMatchObject({ state: 'unknown', error: { code: 'OPERATION_UNCERTAIN' } });
      expect(at.mock.requests.list()).toHaveLength(before + 1);
    });

    test.each([true, false])('keywords, lost after applied=%s: unknown, sent once', async (isApplied) => {
      at.mock.faults.arm({
        effect: isApplied ? 'lose-response' : 'drop-request',
        operation: 'addSeoKeywords',
      });
      const error = await getRejection(at.client.keywords.add('demo-site', { keywords: ['once'] }));
      expect(error).toBeInstanceOf(OutcomeUnknownError);
      expect(at.mock.requests.list().filter(({ operation }) => operation === 'addSeoKeywords')).toHaveLength(
        1,
      );
    });

    test('the minute limit is waited for; the quota is not', async () => {
      at.mock.faults.arm({ effect: 'respond', status: 429, error: 'RATE_LIMITED', retryAfter: 0, times: 2 });
      expect((await at.client.account().withResponse()).attempts).toBe(3);
      at.mock.faults.arm({ effect: 'respond', status: 429, error: 'QUOTA_EXCEEDED' });
      expect(await getRejection(at.client.account())).toMatchObject({
        code: 'QUOTA_EXCEEDED',
        attempts: 1,
        limit: 'quota',
      });
    });

    test('auditRecorded is passed on', async () => {
      at.mock.faults.arm({ effect: 'skip-audit' });
      expect(await at.client.tags.create(vip)).toMatchObject({ applied: true, auditRecorded: false });
    });
  });
});
