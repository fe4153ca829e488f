import { describe, expect, it } from 'vitest';
import type { MockUnderTest } from '../../test-support/mock-under-test.ts';

export function accountTests(subject: MockUnderTest): void {
  describe('account', () => {
    it('[4.1.3] [4.1.6] to [4.1.16] returns the owner of the key, remaining credits and usage', async () => {
      const { status, body } = await subject.caller.me();
      expect(status).toBe(200);
      expect(body).toEqual({
        organizationId: 'org_demo',
        key: { name: 'Demo write key', scope: 'write' },
        plan: 'business',
        credits: {
          allowance: 1000,
          used: 120,
          remaining: 880,
          resetsAt: expect.stringMatching(/^\d{4}-\d\d-01T00:00:00\.000Z$/),
        },
        api: { used: 1, limit: 100_000, perMinute: 60 },
      });
      expect((await subject.caller.as('demo-read-key').me()).body.key.scope).toBe('read');
    });

    it('[4.1.12] overdrawn credits show 0 remaining; usage ends with its month', async () => {
      const { caller, mock } = subject;
      await caller.me();
      const saved = mock.state() as {
        organizations: {
          credits: { allowance: number; used: number };
          usage: { month: string; used: number };
        }[];
      };
      const [first] = saved.organizations;
      if (first) first.credits = { allowance: 100, used: 130 };
      if (first) first.usage = { month: '2020-01', used: 50 };
      mock.restore(saved);
      const { credits, api } = (await caller.me()).body;
      expect(credits).toMatchObject({ allowance: 100, used: 130, remaining: 0 });
      expect(api.used).toBe(1);
    });

    it('[4.1.5] [8.2] each counted request uses one of the monthly quota that all keys share', async () => {
      const { caller } = subject;
      await caller.read({ resource: 'tags' });
      await caller.read({ nonsense: true });
      await caller.as('nobody').me();
      await caller.as('demo-suspended-key').me();
      await caller.send('/nowhere');
      await caller.as('demo-read-key').keywords('demo-site', { keywords: ['x'] });
      expect((await caller.me()).body.api.used).toBe(4);
    });

    it('[8.1] [7.2.13] a key can make 60 requests in any 60 seconds, and Retry-After says when it can continue', async () => {
      const { caller, pass, mock } = subject;
      mock.clock.move({ frozen: true });
      for (let i = 0; i < 30; i++) expect((await caller.me()).status).toBe(200);
      mock.clock.advance(40_000);
      for (let i = 0; i < 30; i++) expect((await caller.me()).status).toBe(200);
      const refused = await caller.me();
      expect(refused.status).toBe(429);
      expect(refused.body.error).toBe('RATE_LIMITED');
      expect(refused.headers.get('retry-after')).toBe('20');
      expect((await caller.as('demo-read-key').me()).status).toBe(200);
      mock.clock.advance(19_999);
      expect((await caller.me()).headers.get('retry-after')).toBe('1');
      mock.clock.advance(1);
      for (let i = 0; i < 30; i++) expect((await caller.me()).status).toBe(200);
      expect((await caller.me()).status).toBe(429);
      pass(0);
    });

    it('[8.2] [7.2.13] the monthly quota sends no Retry-After, and ends with the month', async () => {
      const { caller, mock } = subject;
      const { controlUrl } = mock;
      expect(controlUrl).toContain('/_mock');
      mock.clock.move({ now: '2026-04-30T23:59:00.000Z', frozen: true });
      const saved = mock.state() as { organizations: { usage: { month: string; used: number } }[] };
      const [first] = saved.organizations;
      if (first) first.usage = { month: '2026-04', used: 99_999 };
      mock.restore(saved);
      expect((await caller.me()).body.api).toEqual({ used: 100_000, limit: 100_000, perMinute: 60 });
      const refused = await caller.as('demo-read-key').me();
      expect(refused.status).toBe(429);
      expect(refused.body.error).toBe('QUOTA_EXCEEDED');
      expect(refused.headers.get('retry-after')).toBeNull();
      mock.patchOrganization({ plan: 'enterprise' });
      expect((await caller.me()).status).toBe(200);
      mock.patchOrganization({ plan: 'business' });
      expect((await caller.me()).status).toBe(429);
      mock.clock.move({ now: '2026-05-01T00:00:00.000Z' });
      expect((await caller.me()).body.api.used).toBe(1);
    });
  });
}
