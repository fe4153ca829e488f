import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createMock, type Mock } from '../../src/index.ts';
import { type Answer, Caller } from '../../test-support/caller.ts';
import { area, data, salon, shop } from '../../test-support/data.ts';

const create = (resource: keyof typeof data, more: object) => ({
  action: `create-${resource}`,
  data: { ...data[resource], ...more },
});
const getBecause = (mock: Mock): string => mock.requests.list().at(-1)?.decidedBy.because ?? '';

describe('a text that no text can be', () => {
  const raw = (part: string) =>
    `{"operationId":"${crypto.randomUUID()}","change":{"action":"create-templates","data":{"name":"a","text":"x${part}"}}}`;
  it.each(['\\u0000', '\\ud800', '\\udc00', '\\udc00\\ud800', '\\ud83dx'])(
    '%s is answered 400',
    async (part) => {
      const mock = createMock();
      const caller = new Caller(mock);
      const refused = await caller.send('/chat/changes', undefined, { raw: raw(part) });
      expect([refused.status, refused.body.error]).toEqual([400, 'INVALID_INPUT']);
      expect(refused.body.message).toContain('change.data.text has U+0000 or half of a surrogate pair');
      expect((await caller.keywords('demo-site', { keywords: [JSON.parse(`"${part}"`)] })).status).toBe(400);
      expect((await caller.read({ resource: 'friends', search: JSON.parse(`"${part}"`) })).status).toBe(400);
      expect(mock.keywords('demo-site').every(({ keyword }) => !/[\0\p{Surrogate}]/u.test(keyword))).toBe(
        true,
      );
    },
  );
  it('a whole pair is accepted, also in escapes', async () => {
    const { status, body } = await new Caller(createMock()).send('/chat/changes', undefined, {
      raw: raw('\\ud83d\\ude00'),
    });
    expect([status, (body.result as unknown as { text: string }).text]).toEqual([200, 'x😀']);
  });
});

describe('a number that cannot be kept', () => {
  it.each(['9007199254740992', '9007199254740993', '1e300', `1${'0'.repeat(30)}`])(
    '%s is answered 400',
    async (number) => {
      const mock = createMock();
      const change = create('rich-menus', { areas: [{ ...area, y: 77 }] });
      const raw = JSON.stringify({ operationId: crypto.randomUUID(), change }).replace(
        '"y":77',
        `"y":${number}`,
      );
      const { status, body } = await new Caller(mock).send('/chat/changes', undefined, { raw });
      expect(status).toBe(400);
      expect(body.message).toContain('change.data.areas[0].y must be at most 9007199254740991.');
    },
  );
  it('the largest that can is stored as it was sent', async () => {
    const { body } = await new Caller(createMock()).apply(
      create('rich-menus', { areas: [{ ...area, y: Number.MAX_SAFE_INTEGER }] }),
    );
    expect(JSON.stringify(body.result)).toContain('"y":9007199254740991');
  });
});

it('the url of a link is trimmed, then checked, and stored trimmed', async () => {
  const caller = new Caller(createMock());
  const longest = `https://${'a'.repeat(1992)}`;
  for (const url of [` ${longest}`, `${longest}\n`, `\t${longest}\u3000`]) {
    const { status, body } = await caller.apply(create('links', { url }));
    expect([status, (body.result as unknown as { url: string }).url]).toEqual([200, longest]);
  }
  for (const url of [`${longest}a `, ' ', ' ftp://x']) {
    expect((await caller.apply(create('links', { url }))).status, url.slice(0, 20)).toBe(400);
  }
});

describe('a compressed body', () => {
  const json = JSON.stringify({ resource: 'tags' });
  it.each<[string, Uint8Array<ArrayBuffer> | string]>([
    ['gzip', gzipSync(json)],
    ['br', 'not JSON'],
    ['GZIP, identity', gzipSync(json)],
  ])('is named, in the answer and in the log: %s', async (encoding, raw) => {
    const mock = createMock();
    const answer = await new Caller(mock).read({}, { raw, headers: { 'Content-Encoding': encoding } });
    expect([answer.status, answer.body.error]).toEqual([400, 'INVALID_INPUT']);
    expect(answer.body.message).toContain(
      `The body is compressed (Content-Encoding: ${encoding.toLowerCase()})`,
    );
    expect(mock.requests.list()[0]?.decidedBy).toMatchObject({
      decision: 'D5',
      because: expect.stringContaining('Content-Encoding'),
    });
  });
  it('is not the reason if the body can be read, or is not said to be compressed', async () => {
    const caller = new Caller(createMock());
    const read = (raw: Uint8Array<ArrayBuffer> | string, headers = {}): Promise<Answer> =>
      caller.read({}, { raw, headers });
    expect((await read(json, { 'Content-Encoding': 'gzip' })).status).toBe(200);
    expect((await read(gzipSync(json))).body.message).toContain('not valid UTF-8');
    expect((await read('x', { 'Content-Encoding': 'identity' })).body.message).toContain('not JSON');
  });
});

describe('a body without Content-Type: application/json', () => {
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''];
  it.each(types)('is accepted, and the log says so: %j', async (type) => {
    const mock = createMock();
    const caller = new Caller(mock);
    const headers = { 'Content-Type': type };
    expect((await caller.read({ resource: 'tags' }, { headers })).status).toBe(200);
    expect(getBecause(mock)).toMatch(
      /The body was read as JSON although it came with.*Send application\/json/,
    );
    expect((await caller.keywords('demo-site', { keywords: ['x'] }, { headers })).status).toBe(201);
    expect(getBecause(mock)).toContain('read as JSON although');
  });
  it.each(types)('is refused if the mock requires it: %j', async (type) => {
    const mock = createMock({ requireJson: true });
    const refused = await new Caller(mock).read({ resource: 'tags' }, { headers: { 'Content-Type': type } });
    expect([refused.status, refused.body.error]).toEqual([400, 'INVALID_INPUT']);
    expect(refused.body.message).toContain('Content-Type must be application/json');
    expect(mock.requests.list()[0]?.decidedBy.decision).toBe('D5');
  });
  it('is not said of a type behind many headers', async () => {
    const mock = createMock();
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`A-Header-${i}`, 'x'.repeat(100)]));
    const headers = { ...many, 'Content-Type': 'application/json' };
    expect((await new Caller(mock).read({ resource: 'tags' }, { headers })).status).toBe(200);
    expect(getBecause(mock)).not.toContain('although');
  });
  it('is not said of a body that a fault left unread', async () => {
    const mock = createMock();
    mock.faults.arm({ effect: 'respond', status: 202, undeclared: true });
    const headers = { 'Content-Type': 'text/plain' };
    expect((await new Caller(mock).read({ resource: 'tags' }, { headers })).status).toBe(202);
    expect(getBecause(mock)).not.toContain('although');
  });
  it('other requests have no such note', async () => {
    const mock = createMock({ requireJson: true });
    const caller = new Caller(mock);
    for (const type of ['application/json', 'Application/JSON; charset=utf-8', ' application/json ;x=1'])
      expect((await caller.read({ resource: 'tags' }, { headers: { 'Content-Type': type } })).status).toBe(
        200,
      );
    expect((await caller.me()).status).toBe(200);
    for (const { decidedBy } of mock.requests.list()) expect(decidedBy.because).not.toContain('although');
  });
});

describe('the credits', () => {
  const credits = async (caller: Caller) => (await caller.me()).body.credits;
  it.each([
    [undefined, '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z', '2027-02-01T00:00:00.000Z'],
    [
      '2026-01-31T10:30:00Z',
      '2026-01-31T10:30:00.000Z',
      '2026-02-28T10:30:00.000Z',
      '2027-01-31T10:30:00.000Z',
    ],
    [
      '2024-02-29T00:00:00Z',
      '2026-01-29T00:00:00.000Z',
      '2026-02-28T00:00:00.000Z',
      '2027-01-29T00:00:00.000Z',
    ],
  ])('begin again with each period: resetsAt %s', async (resetsAt, first, second, later) => {
    const given = { allowance: 100, used: 40, ...(resetsAt !== undefined && { resetsAt }) };
    const keys = [{ key: 'demo-write-key', name: 'Write', scope: 'write' as const }];
    const mock = createMock({
      now: () => Date.UTC(2026, 0, 15),
      seed: { organizations: [{ id: 'org', credits: given, keys }] },
    });
    const caller = new Caller(mock);
    const isOver = resetsAt?.startsWith('2024') ?? false;
    const used = isOver ? 0 : 40;
    expect(await credits(caller)).toEqual({ allowance: 100, used, remaining: 100 - used, resetsAt: first });
    mock.clock.move({ now: Date.parse(first) - 1 });
    expect(await credits(caller)).toMatchObject({ used, resetsAt: first });
    mock.clock.move({ now: Date.parse(first) });
    expect(await credits(caller)).toEqual({ allowance: 100, used: 0, remaining: 100, resetsAt: second });
    const saved = createMock({ state: mock.state(), now: () => Date.UTC(2026, 0, 15) });
    expect(await credits(new Caller(saved))).toMatchObject({ used: 0, resetsAt: second });
    mock.clock.move({ now: Date.UTC(2027, 0, 20) });
    expect(await credits(caller)).toMatchObject({
      used: 0,
      resetsAt: later.replace('2027-02-01', '2027-02-01'),
    });
  });
});

describe('the header Date', () => {
  it('is the time of the clock, over HTTP and in process', async () => {
    const mock = createMock();
    const server = await mock.listen({ port: 0 });
    try {
      const date = async () => Date.parse((await fetch(`${server.baseUrl}/me`)).headers.get('date') ?? '');
      expect(Math.abs((await date()) - Date.now())).toBeLessThan(60_000);
      mock.clock.move({ now: Date.UTC(2030, 4, 6, 7, 8, 9), frozen: true });
      expect(await date()).toBe(Date.UTC(2030, 4, 6, 7, 8, 9));
      const { headers } = await new Caller(mock).read({ resource: 'nothing' });
      expect(headers.get('date')).toBe('Mon, 06 May 2030 07:08:09 GMT');
      mock.faults.arm({ effect: 'respond', status: 500 });
      expect((await new Caller(mock).me()).headers.get('date')).toBe('Mon, 06 May 2030 07:08:09 GMT');
    } finally {
      await server.close();
    }
  });
});

describe('an enrollment', () => {
  it('in a scenario of another account is refused, and in one of no account accepted', async () => {
    const mock = createMock();
    const caller = new Caller(mock);
    const { accountId, userId } = await caller.first('friends');
    const other = accountId === shop ? salon : shop;
    const enroll = async (owner: string | null) => {
      const { result } = (await caller.apply(create('scenarios', { accountId: owner }))).body;
      return caller.apply({ action: 'enroll-scenario', accountId, userId, scenarioId: result.id });
    };
    const refused = await enroll(other);
    expect([refused.status, refused.body.error]).toEqual([404, 'NOT_FOUND']);
    expect(refused.body.message).toContain('belongs to another account');
    expect(mock.requests.list().at(-1)?.decidedBy).toMatchObject({
      decision: 'D61',
      because: expect.stringContaining(other),
    });
    expect((await enroll(accountId)).status).toBe(200);
    expect((await enroll(null)).status).toBe(200);
  });
});
