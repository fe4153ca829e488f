import { describe, expect, it } from 'vitest';
import { useServer } from '../../test-support/control-server.ts';
import { data } from '../../test-support/data.ts';

const { caller, control } = useServer();
const tagChange = { action: 'create-tags', data: data.tags };

describe('the control API', () => {
  it('moves and freezes the clock', async () => {
    const at = async () => (await control('GET', '/clock')).body;
    await control('POST', '/clock', { now: '2026-05-01T00:00:00.000Z', frozen: true });
    expect(await at()).toEqual({
      now: Date.parse('2026-05-01T00:00:00.000Z'),
      iso: '2026-05-01T00:00:00.000Z',
      frozen: true,
    });
    await control('POST', '/clock', { advanceMs: 1_500 });
    expect((await at()).iso).toBe('2026-05-01T00:00:01.500Z');
    expect((await caller.apply(tagChange)).body.result.createdAt).toBe('2026-05-01T00:00:01.500Z');
    await control('POST', '/clock', { now: 0 });
    expect((await at()).iso).toBe('1970-01-01T00:00:00.000Z');
    for (const body of [
      { now: 'x' },
      { advanceMs: -1 },
      { frozen: 'yes' },
      { speed: 2 },
      { advanceMs: 1e18 },
      { now: 1e17 },
    ]) {
      const { status } = await control('POST', '/clock', body);
      expect({ body, status }).toEqual({ body, status: 400 });
    }
    expect((await control('POST', '/clock', { now: true })).body.message).toBe(
      'now must be milliseconds since 1970, or a date and time.',
    );
    expect((await control('POST', '/clock', { now: '2026-05-01T00:00:00' })).body.message).toBe(
      'now must have a time zone: 2026-05-01T00:00:00Z if it is in UTC.',
    );
    expect((await at()).frozen).toBe(true);
  });

  it('ends the clock with the year 9999, and no answer has a later time', async () => {
    const last = '9999-12-31T23:59:59.999Z';
    await control('POST', '/clock', { now: '9999-12-31T00:00:00Z', frozen: true });
    const refused = await control('POST', '/clock', { advanceMs: 86_400_000 });
    expect(refused).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('advanceMs must be at most 86399999: ') },
    });
    expect((await control('GET', '/clock')).body.iso).toBe('9999-12-31T00:00:00.000Z');
    const moved = await control('POST', '/clock', { advanceMs: 86_399_999, frozen: false });
    expect(moved).toMatchObject({ status: 200, body: { iso: last } });
    expect((await caller.apply(tagChange)).body.result.createdAt).toBe(last);
    expect((await caller.me()).body.credits.resetsAt).toBe(last);
    const { body: saved } = await control('GET', '/state');
    await control('PUT', '/state', { ...saved, clock: { shiftMs: 1e300, frozenAt: null } });
    expect((await control('GET', '/clock')).body.iso).toBe(last);
    await control('POST', '/clock', { now: 0 });
  });
});
