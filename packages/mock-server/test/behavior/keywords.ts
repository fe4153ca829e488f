import { describe, expect, it } from 'vitest';
import type { MockUnderTest } from '../../test-support/mock-under-test.ts';

export function keywordsTests(subject: MockUnderTest): void {
  const add = (input: object, site = 'demo-site') => subject.caller.keywords(site, input);

  describe('keywords', () => {
    it('[4.2.13] [4.2.11] [4.2.12] adds new keywords and lists skipped ones', async () => {
      const { status, body } = await add({
        keywords: [' a ', 'b', 'a', 'opening hours', 'A'],
        group: ' season ',
      });
      expect(status).toBe(201);
      expect(body).toEqual({ added: ['a', 'b', 'A'], skipped: ['a', 'opening hours'] });
      expect((await add({ keywords: ['a', 'b'] })).body).toEqual({ added: [], skipped: ['a', 'b'] });
      const kept = subject.mock.keywords('demo-site').filter(({ keyword }) => keyword === 'a');
      expect(kept).toMatchObject([{ keyword: 'a', group: 'season' }]);
      expect((await add({ keywords: ['a'] }, 'demo-blog')).body.added).toEqual(['a']);
    });

    it('[4.2.5] [4.2.8] [4.2.9] [4.2.10] [4.2.14] enforces the limits after trimming, in characters', async () => {
      const accepts = [
        { keywords: [` ${'😀'.repeat(80)}\u3000`] },
        { keywords: Array.from({ length: 50 }, (_, i) => `k${i}`) },
        { keywords: ['x'], group: ` ${'あ'.repeat(30)} ` },
        { keywords: ['x'], group: '' },
        { keywords: ['x'], extra: true },
      ];
      for (const input of accepts)
        expect({ input, status: (await add(input)).status }).toEqual({ input, status: 201 });
      const rejects = [
        {},
        { keywords: [] },
        { keywords: [''] },
        { keywords: ['  '] },
        { keywords: 'x' },
        { keywords: [1] },
        { keywords: ['x'.repeat(81)] },
        { keywords: Array(51).fill('x') },
        { keywords: ['x'], group: 'x'.repeat(31) },
        { keywords: ['x'], group: null },
      ];
      for (const input of rejects) {
        const { status, body } = await add(input);
        expect({ input, status, error: body.error }).toEqual({ input, status: 400, error: 'INVALID_INPUT' });
      }
    });

    it('[4.2.15] [8.8] adds nothing if the limit of the site would be exceeded', async () => {
      const fill = (from: number, count: number) => ({
        keywords: Array.from({ length: count }, (_, i) => `k${from + i}`),
      });
      for (const from of [0, 50]) expect((await add(fill(from, 50), 'demo-blog')).status).toBe(201);
      const { status, body } = await add(fill(99, 2), 'demo-blog');
      expect({ status, error: body.error }).toEqual({ status: 400, error: 'KEYWORD_LIMIT_EXCEEDED' });
      expect(subject.mock.keywords('demo-blog')).toHaveLength(100);
      expect((await add(fill(0, 50), 'demo-blog')).status).toBe(201);
    });

    it('[4.2.3] [4.2.18] another site is 404', async () => {
      for (const site of ['nowhere', 'DEMO-SITE', 'demo-site%20', '..%2Fdemo-site']) {
        expect((await add({ keywords: ['x'] }, site)).status).toBe(404);
      }
      expect((await add({ keywords: ['x'] }, 'demo%2Dsite')).status).toBe(201);
    });

    it('[4.2.6] Idempotency-Key has no effect', async () => {
      const headers = { 'Idempotency-Key': 'one' };
      const first = await subject.caller.keywords('demo-site', { keywords: ['x'] }, { headers });
      const second = await subject.caller.keywords('demo-site', { keywords: ['y'] }, { headers });
      expect([first.body.added, second.body.added]).toEqual([['x'], ['y']]);
    });
  });
}
