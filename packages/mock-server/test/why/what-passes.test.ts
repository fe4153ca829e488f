import { configurationResources, isObject } from '@orgchat/spec';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMock, type Mock, type MockOptions } from '../../src/index.ts';
import { Caller, createGuard } from '../../test-support/caller.ts';
import { data, salon, shop, vip } from '../../test-support/data.ts';

/* What `because` advises is accepted when it is sent. */

function open(options: MockOptions = {}) {
  const mock = createMock({ rateLimit: 'off', now: () => Date.UTC(2026, 3, 10), ...options });
  return { mock, caller: new Caller(mock) };
}

const lastBecause = (mock: Mock): string => mock.requests.list().at(-1)?.decidedBy.because ?? '';

const find = (text: string, pattern: RegExp): string => {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`${pattern} is not in: ${text}`);
  return found;
};

const tag = { action: 'create-tags', data: data.tags };

describe('the moment that a 429 names', () => {
  const findMoment = (mock: Mock): number =>
    Date.parse(find(lastBecause(mock), /is accepted at (\S+) of the mock's clock/));

  it.each([
    [{ rateLimit: 2 }, 'RATE_LIMITED'],
    [{ monthlyLimit: 2 }, 'QUOTA_EXCEEDED'],
  ] as const)('is the first at which the request is accepted: %j', async (limits, code) => {
    const { mock, caller } = open(limits);
    await caller.me();
    mock.clock.advance(1_500);
    await caller.me();
    expect((await caller.me()).body.error).toBe(code);
    const moment = findMoment(mock);
    mock.clock.move({ now: moment - 1 });
    expect((await caller.me()).status).toBe(429);
    expect(findMoment(mock)).toBe(moment);
    mock.clock.move({ now: moment });
    expect((await caller.me()).status).toBe(200);
  });

  it('is none if the limit is 0', async () => {
    const { mock, caller } = open({ monthlyLimit: 0 });
    await caller.me();
    expect(lastBecause(mock)).toContain('Every request is refused until PATCH /limits changes monthlyLimit.');
  });
});

describe('a stale revision', () => {
  const update = async (
    mock: Mock,
    caller: Caller,
    meanwhile: (guard: object) => unknown,
  ): Promise<{ because: string; sent: string; again: () => ReturnType<Caller['apply']> }> => {
    const { record } = (await caller.read({ resource: 'tags', id: vip })).body;
    const change = { action: 'update-tags', id: vip, data: data.tags };
    await meanwhile({ ...change, ...createGuard(record) });
    expect((await caller.apply({ ...change, ...createGuard(record) })).body.error).toBe('STALE_REVISION');
    const because = lastBecause(mock);
    const expectedRevision = find(because, /Use expectedRevision (\w+)/);
    const expectedLabel = JSON.parse(find(because, /expectedLabel (".*")\./));
    const again = () => caller.apply({ ...change, expectedRevision, expectedLabel });
    return { because, sent: record.revision, again };
  };

  it('names both revisions and the key that changed the record; the current one is accepted', async () => {
    const { mock, caller } = open();
    const { because, sent, again } = await update(mock, caller, (change) => caller.apply(change));
    expect(because).toContain(`, not ${sent}. Use expectedRevision`);
    expect(because).toMatch(
      /^Changed by your own key "Demo write key" 0 ms earlier \(update-tags in req-\w+\): the tag/,
    );
    expect((await again()).status).toBe(200);
  });

  it('names an edit by the control API', async () => {
    const { mock, caller } = open();
    const { because, again } = await update(mock, caller, () =>
      mock.edit({ resource: 'tags', id: vip, data: { name: 'Very "important"' } }),
    );
    expect(because).toContain('Changed by an edit of the control API (POST /edit): ');
    expect((await again()).status).toBe(200);
  });

  it('names the fault that edited the record', async () => {
    const { mock, caller } = open();
    const { because, again } = await update(mock, caller, () => mock.faults.arm({ effect: 'rival-edit' }));
    expect(because).toContain('Changed by fault fault-1 (rival-edit) between the read and this request: ');
    expect((await again()).status).toBe(200);
  });

  it('says if the audit log does not know who changed the record', async () => {
    const { mock, caller } = open();
    mock.faults.arm({ effect: 'skip-audit' });
    const { because, again } = await update(mock, caller, (change) => caller.apply(change));
    expect(because).toContain('Changed by somebody who is not in the audit log: ');
    expect((await again()).status).toBe(200);
  });

  it('names the deletion if the record is gone', async () => {
    const { mock, caller } = open();
    const { id, ...record } = (await caller.apply(tag)).body.result;
    const deletion = { action: 'delete-configuration', resource: 'tags', id, ...createGuard(record) };
    await caller.apply(deletion);
    expect((await caller.apply(deletion)).status).toBe(404);
    expect(lastBecause(mock)).toMatch(
      new RegExp(
        `^Tag "${record.label}" was deleted by your own key "Demo write key" 0 ms earlier \\(delete-configuration in req-\\w+\\): the organization has no tag ${id}\\. Use the id of an existing tag: ".*" \\(`,
      ),
    );
  });
});

describe('a record that is gone', () => {
  it('is called by its name, and the record of the same name is the first to use instead', async () => {
    const { mock, caller } = open();
    const { id, ...record } = (await caller.apply(tag)).body.result;
    const again = (await caller.apply(tag)).body.result;
    for (const name of ['a', 'b', 'c', 'd']) await caller.apply({ ...tag, data: { ...data.tags, name } });
    await caller.apply({ action: 'delete-configuration', resource: 'tags', id, ...createGuard(record) });
    const link = { action: 'create-links', data: { ...data.links, tagId: id } };
    expect((await caller.apply(link)).status).toBe(404);
    // The field is first: it distinguishes the refusal from others where only the start is shown.
    expect(lastBecause(mock)).toMatch(
      new RegExp(
        `^change\\.data\\.tagId refers to tag "${record.label}" ${id}, which was deleted by your own key`,
      ),
    );
    expect(lastBecause(mock)).toContain(
      `. Use the id of another tag with the same name: "${record.label}" (${again.id}), or of a tag with another name: "d" (`,
    );
    // The advice can be followed.
    const { status } = await caller.apply({ ...link, data: { ...data.links, tagId: again.id } });
    expect(status).toBe(200);
  });

  it('is not said to have had the name that the request expects of it', async () => {
    const { mock, caller } = open();
    const { record } = (await caller.read({ resource: 'tags', id: vip })).body;
    mock.faults.arm({ effect: 'rival-edit', delete: true });
    await caller.apply({ action: 'update-tags', id: vip, data: data.tags, ...createGuard(record) });
    expect(lastBecause(mock)).toContain(
      'Tag (expectedLabel "VIP") was deleted by fault fault-1 (rival-edit)',
    );
    const guard = { expectedRevision: record.revision, expectedLabel: 'Never' };
    await caller.apply({ action: 'update-tags', id: crypto.randomUUID(), data: data.tags, ...guard });
    expect(lastBecause(mock)).toMatch(/^Unknown tag \(expectedLabel "Never"\): the organization has no tag /);
  });
});

describe('a correction of the body', () => {
  const corrected = /A valid value of (\S+|the body): (.*?)\.(?: The body has \d+ more problems?\.)?$/s;

  /** Sends a body, and its corrections, until it is valid; returns the number of corrections. */
  async function correct(mock: Mock, caller: Caller, path: string, given: unknown): Promise<number> {
    let body = given;
    for (let count = 0; count < 20; count++) {
      const answer = await caller.send(path, body);
      if (answer.status !== 400) return count;
      const because = lastBecause(mock).replaceAll(/ \(did you mean [^)]*\)/g, '');
      const omitted = /has unknown fields: (.*?)\. Omit the unknown fields of (\S+|the body)\./.exec(because);
      const renamed = /\. Rename (.*?)(, and omit the other unknown fields)? in (\S+|the body)\./.exec(
        because,
      );
      const value = corrected.exec(because);
      if (renamed !== null) {
        const names = `${renamed[1]}`.split(', ').map((pair) => pair.split(' to '));
        const unknown = renamed[2] && /has unknown fields: (.*?)\. Rename/.exec(because)?.[1];
        const others = unknown
          ? unknown.split(', ').filter((name) => !names.some(([from]) => from === name))
          : [];
        body = change(body, `${renamed[3]}`, (at) =>
          omit(rename(at, new Map(names as [string, string][])), others),
        );
      } else if (omitted !== null)
        body = change(body, `${omitted[2]}`, (at) => omit(at, `${omitted[1]}`.split(', ')));
      else if (value !== null) body = change(body, `${value[1]}`, () => JSON.parse(`${value[2]}`));
      else throw new Error(`No correction: ${because}`);
      const isLast = !/more problems?\.$/.test(because);
      if (isLast) expect([because, (await caller.send(path, body)).status]).not.toEqual([because, 400]);
    }
    throw new Error(`Not corrected: ${JSON.stringify(given)}`);
  }

  const rename = (value: unknown, names: ReadonlyMap<string, string>): unknown =>
    Object.fromEntries(
      Object.entries(value as object).map(([name, field]) => [names.get(name) ?? name, field]),
    );

  const omit = (value: unknown, names: readonly string[]): unknown =>
    Object.fromEntries(Object.entries(value as object).filter(([name]) => !names.includes(name)));

  function change(value: unknown, path: string, to: (at: unknown) => unknown): unknown {
    const keys = path === 'the body' ? [] : path.split(/[.[\]]+/).filter((key) => key !== '');
    const at = (node: unknown, [key, ...rest]: readonly string[]): unknown => {
      if (key === undefined) return to(node);
      if (Array.isArray(node)) return node.map((item, i) => (`${i}` === key ? at(item, rest) : item));
      return { ...(node as object), [key]: at((node as Record<string, unknown> | undefined)?.[key], rest) };
    };
    return at(value, keys);
  }

  /** Every place in a value. */
  const listPaths = (value: unknown, at: readonly string[] = []): (readonly string[])[] =>
    isObject(value) || Array.isArray(value)
      ? [at, ...Object.entries(value).flatMap(([key, item]) => listPaths(item, [...at, key]))]
      : [at];

  const bodies: readonly (readonly [path: string, body: object])[] = [
    ...configurationResources.map(
      (resource) =>
        [
          '/chat/changes',
          {
            operationId: crypto.randomUUID(),
            change: { action: `create-${resource}`, data: data[resource] },
          },
        ] as const,
    ),
    ['/chat/read', { resource: 'friends', accountId: shop, search: 'a', offset: 0, limit: 5 }],
    ['/chat/read', { resource: 'messages', accountId: shop, userId: `U${'0'.repeat(32)}` }],
    ['/studio/read', { resource: 'documents', projectId: shop, query: 'a' }],
    ['/sites/demo-site/keywords', { keywords: ['a', 'b'], group: 'c' }],
  ];

  it('is accepted when it is sent, whatever was wrong', async () => {
    const { mock, caller } = open({ monthlyLimit: 'off' });
    let corrections = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...bodies),
        fc.nat(),
        fc.constantFrom(undefined, null, 0, -1, 1.5, 2e9, true, '', 'x', 'y'.repeat(6000), [], {}, ['z'], {
          z: 1,
        }),
        async ([path, body], place, value) => {
          const paths = listPaths(body).slice(1);
          const at = paths[place % paths.length] ?? [];
          corrections += await correct(
            mock,
            caller,
            path,
            change(body, at.join('.'), () => value),
          );
        },
      ),
      { numRuns: 400 },
    );
    expect(corrections).toBeGreaterThan(100);
  });

  it.each<[string, object]>([
    ['/chat/read', { resource: 'freinds', offest: 1, limit: 900 }],
    ['/chat/read', { resource: 'message', userid: 'x', accountId: shop }],
    ['/studio/read', { resource: 'documnet' }],
    [
      '/chat/changes',
      { operationID: 'x', change: { action: 'create-tag', data: { nmae: '', colour: 'pnik' } } },
    ],
    [
      '/chat/changes',
      { operationId: shop, change: { action: 'create-tags', data: { naem: 'a', nmae: 1, x: 1 } } },
    ],
  ])('is accepted when it is sent, if words are misspelled: %s %j', async (path, body) => {
    const { mock, caller } = open();
    expect(await correct(mock, caller, path, body)).toBeGreaterThan(0);
  });

  it.each<[string, object, string]>([
    ['/chat/read', { resource: 'freinds' }, 'A valid value of resource: "friends".'],
    [
      '/chat/read',
      { resource: 'tag', offest: 2 },
      'A valid value of the body: {"resource":"tags","offset":2}.',
    ],
    [
      '/chat/changes',
      { operationId: shop, change: { action: 'create-tags', data: { name: 'a', color: 'purpel' } } },
      'A valid value of change.data.color: "purple".',
    ],
  ])('is what was probably meant: %s %j', async (path, body, correction) => {
    const { mock, caller } = open();
    await caller.send(path, body);
    expect(lastBecause(mock)).toContain(correction);
    expect(mock.requests.list().at(-1)?.decidedBy.problems?.[0]?.correction).toBe(correction);
  });

  it('says what to leave out', async () => {
    const { mock, caller } = open();
    await caller.apply({ ...tag, data: { ...data.tags, more: 1, other: 2 } });
    expect(lastBecause(mock)).toBe(
      'change.data has unknown fields: more, other. Omit the unknown fields of change.data.',
    );
  });

  it('is not known if the log no longer has the body', async () => {
    const { mock, caller } = open({ logBytes: 0 });
    await caller.read({ resource: 'tags', limit: 99 });
    expect(lastBecause(mock)).toBe('limit must be at most 50.');
  });

  it('does not keep a large body that was refused', async () => {
    const { mock, caller } = open();
    await caller.read({ resource: 'tags', [`x${'y'.repeat(100_000)}`]: 1 });
    expect(lastBecause(mock).length).toBeLessThan(500);
  });
});

describe('other advice', () => {
  it('names a key that may write', async () => {
    const { mock, caller } = open();
    expect((await caller.as('demo-read-key').apply(tag)).status).toBe(403);
    const name = find(lastBecause(mock), /Use (?:one of: )?key "(.*?)"/);
    const { organizations } = mock.state() as { organizations: { keys: { name: string; key: string }[] }[] };
    const key = organizations.flatMap(({ keys }) => keys).find((one) => one.name === name)?.key ?? '';
    expect((await caller.as(key).apply(tag)).status).toBe(200);
  });

  it('names the project that has the document', async () => {
    const { mock, caller } = open();
    const [one, two] = (await caller.studio({ resource: 'projects' })).body.projects;
    const { documents } = (await caller.studio({ resource: 'documents', projectId: one?.id })).body;
    const documentId = documents[0]?.id;
    await caller.studio({ resource: 'document', projectId: two?.id, documentId });
    const projectId = find(lastBecause(mock), /Use projectId (\S+)\./);
    expect((await caller.studio({ resource: 'document', projectId, documentId })).status).toBe(200);
  });

  it('says if the organization has no such record at all', async () => {
    const mock = createMock({
      seed: { organizations: [{ id: 'o', keys: [{ key: 'k', name: 'K', scope: 'read' }] }] },
    });
    await new Caller(mock, 'k').read({ resource: 'tags', id: vip });
    expect(lastBecause(mock)).toMatch(/\. The organization has no tag: create one first\.$/);
  });

  it('does not say so if the records belong to accounts that are not assigned', async () => {
    const { mock, caller } = open();
    for (const { id, revision, label } of (await caller.read({ resource: 'routes', limit: 50 })).body.records)
      await caller.apply({
        action: 'delete-configuration',
        resource: 'routes',
        id,
        expectedRevision: revision,
        expectedLabel: label,
      });
    await caller.apply({ action: 'create-routes', data: { ...data.routes, accountId: salon } });
    mock.patchKey('demo-write-key', { accountIds: [shop] });
    await caller.read({ resource: 'routes', id: vip });
    expect(lastBecause(mock)).toMatch(
      /\. Every route of the organization belongs to an account that is not assigned to the creator of key "Demo write key"\. Create one in an assigned account, or assign all accounts: PATCH \/keys\/\{key\} \{ "accountIds": null \}\.$/,
    );
  });

  it('asks for an assigned account', async () => {
    const { mock, caller } = open();
    mock.patchKey('demo-write-key', { accountIds: [shop] });
    const route = { action: 'create-routes', data: { ...data.routes, accountId: salon } };
    expect((await caller.apply(route)).status).toBe(404);
    expect(lastBecause(mock)).toContain(`account ${salon}, which is not assigned to the creator of key`);
    expect(lastBecause(mock)).toContain('. Use the id of an assigned account.');
  });

  it('asks for a record of an assigned account', async () => {
    const { mock, caller } = open();
    const scenario = { ...data.scenarios, accountId: salon };
    const { id } = (await caller.apply({ action: 'create-scenarios', data: scenario })).body.result;
    mock.patchKey('demo-write-key', { accountIds: [shop] });
    const link = { action: 'create-links', data: { ...data.links, scenarioId: id } };
    expect((await caller.apply(link)).status).toBe(404);
    expect(lastBecause(mock)).toContain(
      `scenario ${id}, whose account is not assigned to the creator of key`,
    );
    expect(lastBecause(mock)).toContain('. Use the id of a scenario of an assigned account.');
  });

  it.each([
    [20, 'At most 20 new keywords fit.'],
    [1, 'At most 1 new keyword fits.'],
    [0, 'The site accepts only keywords that it already has.'],
  ])('says that %i keywords fit', async (free, words) => {
    const { mock, caller } = open();
    const send = (from: number, count: number) =>
      caller.keywords('demo-blog', { keywords: Array.from({ length: count }, (_, i) => `${from + i}`) });
    await send(0, 50);
    await send(50, 50 - free);
    expect((await send(100, 30)).status).toBe(400);
    expect(lastBecause(mock)).toContain(words);
    expect((await send(100 - free, free + 1)).status).toBe(400);
    if (free > 0) expect((await send(100, free)).status).toBe(201);
  });

  it.each([
    ['never', 'only if the change is missing, use a new operationId'],
    [{ afterRequests: 2 }, 'is accepted after 1 more request with this operationId got 409'],
    [{ afterMs: 60_000 }, "resolved at 2026-04-10T00:01:00.000Z of the mock's clock"],
  ] as const)('fits an uncertain operation that is resolved %j', async (resolve, words) => {
    const { mock, caller } = open();
    mock.faults.arm({ effect: 'uncertain', answer: 502, resolve });
    const id = crypto.randomUUID();
    await caller.change(id, tag);
    await caller.change(id, tag);
    expect(lastBecause(mock)).toContain(words);
  });
});
