import { errorCatalog } from '@orgchat/spec';
import { describe, expect, it } from 'vitest';
import { createGuard } from '../../test-support/caller.ts';
import { data } from '../../test-support/data.ts';
import type { MockUnderTest } from '../../test-support/mock-under-test.ts';

const change = { action: 'create-tags', data: data.tags };

export function faultsTests(subject: MockUnderTest): void {
  const arm = (fault: Parameters<typeof subject.mock.faults.arm>[0]) => subject.mock.faults.arm(fault);
  const tags = async (): Promise<number> => (await subject.caller.read({ resource: 'tags' })).body.total;

  describe('faults', () => {
    it('drop-request resets the connection, and nothing is applied', async () => {
      arm({ effect: 'drop-request', action: 'create-tags' });
      const id = crypto.randomUUID();
      await expect(subject.caller.change(id, change)).rejects.toThrow();
      expect(await tags()).toBe(3);
      expect((await subject.caller.change(id, change)).body.replayed).toBe(false);
      expect(subject.mock.requests.list()[0]).toMatchObject({
        answered: false,
        status: null,
        applied: false,
        faults: ['drop-request'],
      });
    });

    it('[7.3.2] lose-response applies and resets: the same request is then replayed', async () => {
      arm({ effect: 'lose-response', operation: 'changeChat' });
      const id = crypto.randomUUID();
      await expect(subject.caller.change(id, change)).rejects.toThrow();
      expect((await subject.caller.change(id, change)).body.replayed).toBe(true);
      expect(await tags()).toBe(4);
      expect(subject.mock.requests.list()[0]).toMatchObject({ answered: false, status: 200, applied: true });
    });

    it('cut-response applies the change and cuts the body off', async () => {
      arm({ effect: 'cut-response', operation: 'changeChat' });
      const id = crypto.randomUUID();
      await expect(subject.caller.change(id, change)).rejects.toThrow();
      expect((await subject.caller.change(id, change)).body.replayed).toBe(true);
    });

    it('[7.3.2] fail-response applies and answers an error: the same request is then replayed', async () => {
      arm({ effect: 'fail-response', operation: 'changeChat', status: 502 });
      const id = crypto.randomUUID();
      const failed = await subject.caller.change(id, change);
      expect([failed.status, failed.body.error]).toEqual([502, 'RUNTIME_UNAVAILABLE']);
      expect((await subject.caller.change(id, change)).body.replayed).toBe(true);
      expect(await tags()).toBe(4);
      expect(subject.mock.requests.list()[0]).toMatchObject({
        ...{ answered: true, status: 502, error: 'RUNTIME_UNAVAILABLE', applied: true },
        decidedBy: { step: 'beforeAnswer', clause: '7.2.11' },
      });
      arm({ effect: 'fail-response', operation: 'addSeoKeywords', status: 500, error: 'ON_FIRE' });
      const keywords = await subject.caller.keywords('demo-site', { keywords: ['new'] });
      expect([keywords.status, keywords.body.error]).toEqual([500, 'ON_FIRE']);
      expect(subject.mock.keywords('demo-site').map(({ keyword }) => keyword)).toContain('new');
    });

    it('fail-response leaves a refusal as it is', async () => {
      arm({ effect: 'fail-response', operation: 'changeChat', status: 500 });
      expect((await subject.caller.apply({ action: 'create-tags', data: {} })).status).toBe(400);
      expect((await subject.caller.apply(change)).status).toBe(500);
    });

    it('not-applied answers 200 without applying, and the operationId stays free', async () => {
      arm({ effect: 'not-applied' });
      const id = crypto.randomUUID();
      const { status, body } = await subject.caller.change(id, change);
      expect([status, body]).toEqual([
        200,
        { ok: true, applied: false, replayed: false, auditRecorded: false },
      ]);
      expect(await tags()).toBe(3);
      expect(subject.mock.requests.list()[0]).toMatchObject({
        applied: false,
        decidedBy: { decision: 'D66' },
      });
      expect((await subject.caller.change(id, change)).body).toMatchObject({
        applied: true,
        replayed: false,
      });
      expect(await tags()).toBe(4);
    });

    it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
      'respond answers the error %s as it was given',
      async (error) => {
        arm({ effect: 'respond', status: 500, error });
        expect(await subject.caller.me()).toMatchObject({
          status: 500,
          body: { error, message: expect.stringContaining('unexpected') },
        });
        expect(subject.mock.requests.list()[0]).toMatchObject({ error, status: 500, answered: true });
      },
    );

    it('respond answers instead of the service, with the given header', async () => {
      arm({
        effect: 'respond',
        status: 429,
        retryAfter: 'Wed, 21 Oct 2026 07:28:00 GMT',
        times: 2,
        after: 1,
      });
      const answers = [];
      for (let i = 0; i < 4; i++) answers.push(await subject.caller.apply(change));
      expect(answers.map(({ status }) => status)).toEqual([200, 429, 429, 200]);
      expect(answers[1]?.headers.get('retry-after')).toBe('Wed, 21 Oct 2026 07:28:00 GMT');
      expect(answers[1]?.body.error).toBe('RATE_LIMITED');
      arm({ effect: 'respond', status: 500, error: 'DATABASE_ON_FIRE' });
      const { body } = await subject.caller.me({ headers: { 'Accept-Language': 'ja' } });
      expect(body.error).toBe('DATABASE_ON_FIRE');
      expect(body.message).toMatch(/エラー/);
      const [first, second] = subject.mock.faults.list();
      expect(first).toMatchObject({ seen: 5, remaining: 0, hits: [{}, {}] });
      expect(second).toMatchObject({ seen: 1, remaining: 0, hits: [{ operation: 'getAccount' }] });
    });

    it('respond sends the usual code of its status, the message of the code, and no further headers', async () => {
      const { caller } = subject;
      arm({ effect: 'respond', status: 401, times: 1 });
      arm({ effect: 'respond', status: 503, times: 1, undeclared: true });
      arm({ effect: 'respond', status: 409, error: 'INPUT_CONFLICT', times: 1, undeclared: true });
      const answers = [await caller.me(), await caller.me(), await caller.me()];
      expect(answers.map(({ status, body }) => [status, body.error, body.message])).toEqual([
        [401, 'UNAUTHORIZED', errorCatalog.UNAUTHORIZED.message.en],
        [503, 'INTERNAL_ERROR', errorCatalog.INTERNAL_ERROR.message.en],
        [409, 'INPUT_CONFLICT', errorCatalog.INPUT_CONFLICT.message.en],
      ]);
      for (const { headers } of answers) expect(headers.get('retry-after')).toBeNull();
      arm({ effect: 'respond', status: 429, retryAfter: 7, times: 1 });
      expect((await caller.me()).headers.get('retry-after')).toBe('7');
    });

    it('hits only matching requests', async () => {
      arm({ effect: 'respond', status: 500, resource: 'tags' });
      arm({ effect: 'respond', status: 500, key: 'demo-read-key' });
      arm({ effect: 'respond', status: 502, operation: 'readStudio' });
      expect((await subject.caller.read({ resource: 'links' })).status).toBe(200);
      expect((await subject.caller.me()).status).toBe(200);
      expect((await subject.caller.as('demo-read-key').me()).status).toBe(500);
      expect((await subject.caller.studio({ resource: 'projects' })).status).toBe(502);
      expect((await subject.caller.read({ resource: 'tags' })).status).toBe(500);
      expect(JSON.stringify(subject.mock.faults.list())).not.toContain('demo-read-key');
    });

    it('resource matches what is read or changed, and the request log shows it', async () => {
      arm({ effect: 'respond', status: 500, resource: 'tags', times: 10 });
      const tag = (await subject.caller.read({ resource: 'tags' })).status;
      const changes = [
        change,
        { action: 'delete-configuration', resource: 'tags', id: crypto.randomUUID() },
        { action: 'create-links', data: data.links },
      ];
      const statuses = [];
      for (const each of changes) statuses.push((await subject.caller.apply(each)).status);
      expect([tag, ...statuses]).toEqual([500, 500, 500, 200]);
      expect(subject.mock.requests.list().map(({ resource }) => resource)).toEqual([
        'tags',
        'tags',
        'tags',
        'links',
      ]);
    });

    it('[4.4.43] [6.7] [6.8] an uncertain operation stays uncertain by default, applied or not', async () => {
      for (const applied of [true, false]) {
        subject.mock.reset();
        arm({ effect: 'uncertain', applied });
        const id = crypto.randomUUID();
        await expect(subject.caller.change(id, change)).rejects.toThrow();
        for (let i = 0; i < 5; i++) {
          const { status, body } = await subject.caller.change(id, change);
          expect([status, body.error]).toEqual([409, 'OPERATION_UNCERTAIN']);
        }
        const other = await subject.caller.change(id, { ...change, data: { ...data.tags, color: 'blue' } });
        expect(other.body.error).toBe('INPUT_CONFLICT');
        expect(await tags()).toBe(applied ? 4 : 3);
        expect(subject.mock.operations()).toMatchObject([{ operationId: id, state: 'uncertain' }]);
      }
    });

    it('[6.7] an uncertain operation is resolved as armed: after requests or after time, to a replay or to a fresh start', async () => {
      for (const [answer, applied] of [
        [500, true],
        [502, false],
      ] as const) {
        subject.mock.reset();
        arm({ effect: 'uncertain', answer, applied, resolve: { afterRequests: 2 } });
        const id = crypto.randomUUID();
        const statuses = [];
        for (let i = 0; i < 4; i++) statuses.push((await subject.caller.change(id, change)).status);
        expect(statuses).toEqual([answer, 409, 409, 200]);
        expect(await tags()).toBe(4);
        expect((await subject.caller.change(id, change)).body.replayed).toBe(true);
        arm({ effect: 'uncertain', applied, resolve: { afterMs: 5_000 } });
        const next = crypto.randomUUID();
        await expect(subject.caller.change(next, change)).rejects.toThrow();
        subject.mock.clock.advance(4_000);
        expect((await subject.caller.change(next, change)).status).toBe(409);
        subject.mock.clock.advance(1_000);
        expect((await subject.caller.change(next, change)).body.replayed).toBe(applied);
        expect(await tags()).toBe(5);
      }
    });

    it('uncertain does not affect refused or already applied changes', async () => {
      const id = crypto.randomUUID();
      await subject.caller.change(id, change);
      arm({ effect: 'uncertain' });
      expect((await subject.caller.change(id, change)).body.replayed).toBe(true);
      const gone = {
        action: 'update-tags',
        id: crypto.randomUUID(),
        ...createGuard({ revision: '0'.repeat(64), label: 'x' }),
        data: data.tags,
      };
      expect((await subject.caller.apply(gone)).status).toBe(404);
      await expect(subject.caller.apply(change)).rejects.toThrow();
    });

    it('skip-audit reports that the audit was not recorded, in the replay too', async () => {
      arm({ effect: 'skip-audit' });
      const id = crypto.randomUUID();
      expect((await subject.caller.change(id, change)).body.auditRecorded).toBe(false);
      expect((await subject.caller.change(id, change)).body.auditRecorded).toBe(false);
      expect(subject.mock.audit()).toEqual([]);
      expect((await subject.caller.apply(change)).body.auditRecorded).toBe(true);
    });

    it('[4.4.41] rival-edit makes a conflict certain', async () => {
      const tag = (await subject.caller.apply(change)).body.result;
      arm({ effect: 'rival-edit' });
      expect((await subject.caller.apply(change)).status).toBe(200);
      const update = { action: 'update-tags', id: tag.id, ...createGuard(tag), data: data.tags };
      expect((await subject.caller.apply(update)).body.error).toBe('STALE_REVISION');
      const now = (await subject.caller.read({ resource: 'tags', id: tag.id })).body.record;
      expect((await subject.caller.apply({ ...update, ...createGuard(now) })).status).toBe(200);
    });

    it('delay applies the change when it answers', async () => {
      arm({ effect: 'delay', delayMs: 50, operation: 'changeChat' });
      const answer = await subject.caller.apply(change);
      expect(answer.body.applied).toBe(true);
      arm({ effect: 'delay', delayMs: 50 });
      expect((await subject.caller.read({ resource: 'nothing' })).status).toBe(400);
    });
  });
}
