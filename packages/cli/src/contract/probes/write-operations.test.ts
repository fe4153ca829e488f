import { createHash, randomUUID } from 'node:crypto';
import type { ServerDescription } from '@orgchat/mock-server';
import { describe, expect, test } from 'vitest';
import { CheckHarness } from '../../../test-support/contract.ts';
import {
  alter,
  applyTwice,
  changeAnswer,
  getRecords,
  ignoreGuards,
  ignoreOperationId,
  type MockedServer,
  serve,
} from '../../../test-support/contract-servers.ts';
import { compare, learn } from '../learn.ts';
import type { Verdict, VerdictName } from '../verdicts.ts';

const write = 'org_demo';
const only = ['write'] as const;

const namesOf = (verdicts: readonly Verdict[], ...wanted: readonly VerdictName[]): string[] =>
  verdicts.filter(({ verdict }) => wanted.includes(verdict)).map(({ topic }) => topic);

describe('the group write', () => {
  test('finds that the mock is as decided, and leaves nothing', async () => {
    const server = serve();
    const before = await getRecords(server);
    const { verdicts, stopped, left, requests } = await new CheckHarness().check(server, { only, write });
    expect(stopped).toBeUndefined();
    expect(namesOf(verdicts, 'differs', 'mixed', 'violates')).toEqual([]);
    expect(verdicts.filter(({ gaps }) => gaps.some(({ place }) => !/Studio/.test(place)))).toEqual([]);
    expect(namesOf(verdicts, 'as decided')).toEqual(
      expect.arrayContaining(['write.replay', 'write.guard', 'codes.staleRevision', 'behavior.onDelete']),
    );
    expect(left).toEqual([]);
    expect(await getRecords(server)).toEqual(before);
    expect(requests).toBeLessThanOrEqual(50);
  });

  test('learns codes, results and behavior of a described server, and its twin answers the same check', async () => {
    const planted: ServerDescription = {
      server: 1,
      codes: { staleRevision: 'version_mismatch', inputConflict: ['op_reused'], notFound: 'missing' },
      shapes: {
        record: { revision: '/meta/version', data: '/attributes' },
        result: { create: ['id', 'revision'], update: '/item', delete: null },
      },
      behavior: {
        replayCompares: 'bytes',
        refusedIdIsFree: false,
        duplicateNames: { code: 'name_taken', status: 409 },
        unknownReference: { status: 400, code: 'bad_reference' },
        onDelete: 'remove',
        trims: false,
      },
    };
    const first = await new CheckHarness().check(serve({ server: planted }), { write, budget: 200 });
    expect(namesOf(first.verdicts, 'violates')).toEqual([]);
    const learned = learn(first.verdicts);
    expect(compare(planted, learned)).toEqual([]);
    expect(compare({ server: 1 }, learned).map(({ key }) => key.join('.'))).toEqual(
      expect.arrayContaining([
        ...['codes.staleRevision', 'codes.inputConflict', 'shapes.result.create', 'shapes.result.update'],
        ...['shapes.result.delete', 'behavior.replayCompares', 'behavior.refusedIdIsFree'],
        ...['behavior.duplicateNames', 'behavior.unknownReference', 'behavior.onDelete', 'behavior.trims'],
      ]),
    );
    expect(first.left).toEqual([]);
  });

  test.each([
    { onDelete: 'refuse' },
    { unknownReference: 'accepted' },
    { unknownReference: { status: 404, code: 'no_such_tag' } },
    { duplicateNames: { status: 400, code: 'INVALID_INPUT' } },
  ] as const)('learns %j, and leaves nothing', async (behavior) => {
    const server = serve({ server: { server: 1, behavior } });
    const before = await getRecords(server);
    const { verdicts, left } = await new CheckHarness().check(server, { only, write });
    const differences = compare({ server: 1 }, learn(verdicts));
    expect(differences).toMatchObject([
      { key: ['behavior', Object.keys(behavior)[0]], value: Object.values(behavior)[0] },
    ]);
    expect(left).toEqual([]);
    expect(await getRecords(server)).toEqual(before);
  });

  test.each([
    ['create-links', ['behavior.unknownReference', 'behavior.onDelete']],
    ['delete-configuration', ['behavior.onDelete']],
  ] as const)('learns no rule of references from a server that refuses any %s', async (action, topics) => {
    const error = { error: 'INVALID_INPUT', message: 'x' };
    const server = alter(serve(), (body, send) =>
      body.change.action === action ? Promise.resolve(Response.json(error, { status: 400 })) : send(body),
    );
    const { verdicts } = await new CheckHarness().check(server, { only, write });
    for (const topic of topics)
      expect(verdicts.find((verdict) => verdict.topic === topic)?.verdict).toBe('unknown');
  });

  const factOf = async (server: MockedServer, topic: Verdict['topic']): Promise<unknown> => {
    const { verdicts, left } = await new CheckHarness().check(server, { only, write });
    expect(left).toEqual([]);
    return verdicts.find((verdict) => verdict.topic === topic)?.seen.map(({ fact }) => fact);
  };

  test('learns that a revision returns with earlier content', async () => {
    const server = serve();
    const digest = ({ name, color }: Record<string, unknown>): string =>
      createHash('sha256').update(`${name} ${color}`).digest('hex');
    const read = async (request: Request): Promise<Response> => {
      const answer = await server.fetch(request);
      const { record, ...list } = (await answer.clone().json()) as { record?: Record<string, unknown> };
      return record === undefined
        ? answer
        : Response.json({ ...list, record: { ...record, revision: digest(record) } });
    };
    const changing = alter(server, async ({ operationId, change }, send) => {
      const { id, expectedRevision } = change;
      const all = (await getRecords(server)) as readonly Record<string, unknown>[];
      const record = all.find((one) => one.id === id);
      const isCurrent = record !== undefined && digest(record) === expectedRevision;
      return send({
        operationId,
        change: { ...change, ...(isCurrent && { expectedRevision: record.revision }) },
      });
    });
    const fetch = (request: Request): Promise<Response> =>
      request.url.endsWith('/chat/read') ? read(request) : changing.fetch(request);
    expect(await factOf({ ...server, fetch }, 'write.revision')).toEqual(['an earlier one']);
    expect(await factOf(serve(), 'write.revision')).toEqual(['a new one']);
  });

  test('learns that a replay has another result, and that an unknown field is accepted', async () => {
    const replaying = changeAnswer(serve(), (answer) =>
      answer.replayed === true ? { ...answer, result: { id: randomUUID() } } : answer,
    );
    expect(await factOf(replaying, 'write.replayed')).toEqual(['another one']);
    const lenient = alter(serve(), ({ operationId, change }, send) => {
      const { nonsense: _, ...data } = Object(change.data) as Record<string, unknown>;
      return send({ operationId, change: { ...change, ...(change.data !== undefined && { data }) } });
    });
    expect(await factOf(lenient, 'write.unknownField')).toEqual(['accepted']);
    expect(await factOf(serve(), 'write.labelText')).toEqual(['the name']);
  });

  test('is not asked without the flag, and then nothing is written at all', async () => {
    const server = serve();
    const { verdicts } = await new CheckHarness().check(server);
    expect(verdicts.find(({ topic }) => topic === 'write.replay')?.reason).toBe('it needs --write');
    expect(server.mock.requests.list().some(({ operation }) => operation === 'changeChat')).toBe(false);
  });

  test('writes tags and links only', async () => {
    const server = serve();
    await new CheckHarness().check(server, { write });
    const log = server.mock.requests.list();
    const actions = new Set(
      log.map(({ action }) => action).filter((action) => action !== undefined && action !== null),
    );
    expect([...actions].toSorted()).toEqual([
      'create-links',
      'create-tags',
      'delete-configuration',
      'update-tags',
    ]);
    expect(log.some(({ operation }) => operation === 'addSeoKeywords')).toBe(false);
  });

  test.each([
    ['another organization', 'demo-write-key', 'org_other', 'KEY_OF_ANOTHER_ORGANIZATION'],
    ['a read key', 'demo-read-key', write, 'KEY_REFUSED'],
  ])('is refused with %s, before anything is written', async (_, apiKey, organization, code) => {
    const server = serve();
    const checking = new CheckHarness().check({ ...server, apiKey }, { write: organization });
    await expect(checking).rejects.toMatchObject({ code });
    expect(server.mock.requests.list()).toHaveLength(1);
  });
});

test('what an earlier command of the same run has left is not taken for a change that was applied twice', async () => {
  const server = alter(serve(), (body, send) =>
    body.change.action === 'delete-configuration'
      ? Promise.resolve(Response.json({}, { status: 500 }))
      : send(body),
  );
  const harness = new CheckHarness();
  await harness.checkUntilKilled(server, { only, write }, { requests: 7, hasArrived: true });
  const { verdicts, left } = await harness.check(server, { only, write });
  expect(left.length).toBeGreaterThan(1);
  expect(namesOf(verdicts, 'violates')).toEqual([]);
});

describe('when a record or a list could not be read', () => {
  /** Answers so many reads of a kind with a status, and checks what changes do. */
  const check = async (
    failing: (query: Record<string, unknown>) => boolean,
    status: number,
    times: number,
  ) => {
    const server = serve();
    let left = times;
    const fetch = async (request: Request): Promise<Response> => {
      const query = request.method === 'POST' ? ((await request.clone().json()) as object) : {};
      const fails = request.url.endsWith('/chat/read') && failing({ ...query }) && left-- > 0;
      return fails ? Response.json({ error: 'X', message: 'x' }, { status }) : server.fetch(request);
    };
    const options = { only: ['one', 'write'], write, budget: 200 } as const;
    const { verdicts } = await new CheckHarness().check({ ...server, fetch }, options);
    const { verdict, reason } = verdicts.find(({ topic }) => topic === 'write.replay') ?? {};
    return { verdict, reason, log: server.mock.requests.list() };
  };
  const isTag = ({ resource, id }: Record<string, unknown>): boolean =>
    resource === 'tags' && id !== undefined;
  const isLinks = ({ resource, id }: Record<string, unknown>): boolean =>
    resource === 'links' && id === undefined;

  test.each([
    ['the first tag was deleted in the meantime', isTag, 404],
    ['there was an outage when the first tag was read', isTag, 503],
    ['there was an outage when the list of links was read', isLinks, 503],
  ])('changes are asked for nevertheless: %s', async (_, failing, status) => {
    expect(await check(failing, status, 1)).toMatchObject({ verdict: 'as decided' });
  });

  test('nothing is written while that lasts, and the reason is named', async () => {
    const { reason, log } = await check(isTag, 503, Number.POSITIVE_INFINITY);
    expect(reason).toBe(
      'nothing was created, because one of tags could not be read: the server answered 503',
    );
    expect(log.some(({ operation }) => operation === 'changeChat')).toBe(false);
  });
});

describe('a server that contradicts the contract', () => {
  test.each<[string, (server: MockedServer) => MockedServer, Verdict['topic'], string, string]>([
    ['applies twice', applyTwice, 'write.replay', '6.6', 'POST /chat/changes (operationId, create-tags)'],
    [
      'ignores operationId',
      ignoreOperationId,
      'write.replay',
      '6.6',
      'POST /chat/changes (operationId, create-tags)',
    ],
    [
      'ignores operationId',
      ignoreOperationId,
      'write.conflict',
      '4.4.42',
      'POST /chat/changes (operationId, create-tags)',
    ],
    [
      'refuses with 200 and ok: false',
      (server) =>
        alter(server, async (body, send) => {
          const answer = await send(body);
          const isRefused = answer.status === 400 || answer.status === 409;
          return isRefused ? Response.json({ ok: false, ...((await answer.json()) as object) }) : answer;
        }),
      'write.conflict',
      '4.4.42',
      'POST /chat/changes (operationId, create-tags)',
    ],
    ['ignores guards', ignoreGuards, 'write.guard', '4.4.3', 'POST /chat/changes (operationId, update-tags)'],
    [
      'has no ok',
      (server) => changeAnswer(server, ({ ok: _, ...rest }) => rest),
      'write.applied',
      '4.4.31',
      'POST /chat/changes (operationId, create-tags)',
    ],
    [
      'says that all is replayed',
      (server) => changeAnswer(server, (answer) => ({ ...answer, replayed: true })),
      'write.applied',
      '6.4',
      'POST /chat/changes (operationId, create-tags)',
    ],
    [
      'has no audit',
      (server) => changeAnswer(server, ({ auditRecorded: _, ...rest }) => rest),
      'write.replay',
      '4.4.34',
      'POST /chat/changes (operationId, create-tags)',
    ],
  ])('%s: violates, with its requests, and nothing is left', async (_, plant, topic, clause, request) => {
    const server = serve();
    const before = await getRecords(server);
    const { verdicts, left } = await new CheckHarness().check(plant(server), { only, write });
    const verdict = verdicts.find((one) => one.topic === topic);
    expect(verdict?.verdict).toBe('violates');
    expect(verdict?.violations.find((one) => one.clause === clause)?.requests).toContain(request);
    expect(left).toEqual([]);
    expect(await getRecords(server)).toEqual(before);
  });
});
