import { describe, expect, it } from 'vitest';
import { createMock, type Mock } from '../../src/index.ts';
import { Caller, createGuard } from '../../test-support/caller.ts';
import { data, salon, shop, vip } from '../../test-support/data.ts';
import { lastBecause, openDecided } from '../../test-support/last-because.ts';

/* What `because` advises is accepted when it is sent. */

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
    const { mock, caller } = openDecided(limits);
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
    const { mock, caller } = openDecided({ monthlyLimit: 0 });
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
    const { mock, caller } = openDecided();
    const { because, sent, again } = await update(mock, caller, (change) => caller.apply(change));
    expect(because).toContain(`, not ${sent}. Use expectedRevision`);
    expect(because).toMatch(
      /^Changed by your own key "Demo write key" 0 ms earlier \(update-tags in req-\w+\): the tag/,
    );
    expect((await again()).status).toBe(200);
  });

  it('names an edit by the control API', async () => {
    const { mock, caller } = openDecided();
    const { because, again } = await update(mock, caller, () =>
      mock.edit({ resource: 'tags', id: vip, data: { name: 'Very "important"' } }),
    );
    expect(because).toContain('Changed by an edit of the control API (POST /edit): ');
    expect((await again()).status).toBe(200);
  });

  it('names the fault that edited the record', async () => {
    const { mock, caller } = openDecided();
    const { because, again } = await update(mock, caller, () => mock.faults.arm({ effect: 'rival-edit' }));
    expect(because).toContain('Changed by fault fault-1 (rival-edit) between the read and this request: ');
    expect((await again()).status).toBe(200);
  });

  it('says if the audit log does not know who changed the record', async () => {
    const { mock, caller } = openDecided();
    mock.faults.arm({ effect: 'skip-audit' });
    const { because, again } = await update(mock, caller, (change) => caller.apply(change));
    expect(because).toContain('Changed by somebody who is not in the audit log: ');
    expect((await again()).status).toBe(200);
  });

  it('names the deletion if the record is gone', async () => {
    const { mock, caller } = openDecided();
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
    const { mock, caller } = openDecided();
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
    const { mock, caller } = openDecided();
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

describe('other advice', () => {
  it('names a key that may write', async () => {
    const { mock, caller } = openDecided();
    expect((await caller.as('demo-read-key').apply(tag)).status).toBe(403);
    const name = find(lastBecause(mock), /Use (?:one of: )?key "(.*?)"/);
    const { organizations } = mock.state() as { organizations: { keys: { name: string; key: string }[] }[] };
    const key = organizations.flatMap(({ keys }) => keys).find((one) => one.name === name)?.key ?? '';
    expect((await caller.as(key).apply(tag)).status).toBe(200);
  });

  it('names the project that has the document', async () => {
    const { mock, caller } = openDecided();
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
    const { mock, caller } = openDecided();
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
    const { mock, caller } = openDecided();
    mock.patchKey('demo-write-key', { accountIds: [shop] });
    const route = { action: 'create-routes', data: { ...data.routes, accountId: salon } };
    expect((await caller.apply(route)).status).toBe(404);
    expect(lastBecause(mock)).toContain(`account ${salon}, which is not assigned to the creator of key`);
    expect(lastBecause(mock)).toContain('. Use the id of an assigned account.');
  });

  it('asks for a record of an assigned account', async () => {
    const { mock, caller } = openDecided();
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
    const { mock, caller } = openDecided();
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
    const { mock, caller } = openDecided();
    mock.faults.arm({ effect: 'uncertain', answer: 502, resolve });
    const id = crypto.randomUUID();
    await caller.change(id, tag);
    await caller.change(id, tag);
    expect(lastBecause(mock)).toContain(words);
  });
});
