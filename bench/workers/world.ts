import { createMock } from '@orgchat/mock-server';
import { answerParent } from '../support/child-process.ts';
import { heldMegabytes } from '../support/heap.ts';
import { headers } from '../support/requests.ts';
import { processorMicroseconds as microseconds } from '../support/timing.ts';

/* A mock with many records, and the measured work on it, in a process with nothing else on its heap. */

const size = Number(process.argv[2]);
const uuid = (prefix: number, n: number): string =>
  `${prefix.toString(16).padStart(8, '0')}-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
const accounts = [uuid(1, 0), uuid(1, 1)] as const;
const accountOf = (n: number): string => accounts[n % 2 === 0 ? 0 : 1];
const data = (n: number) => ({ accountId: accountOf(n), name: `Route ${n}`, tagId: null, scenarioId: null });

const before = await heldMegabytes();
const mock = await createMock({
  rateLimit: 'off',
  monthlyLimit: 'off',
  seed: {
    organizations: [
      {
        id: 'org_bench',
        keys: [
          { key: 'demo-write-key', name: 'All accounts', scope: 'write' },
          { key: 'one-account', name: 'One account', scope: 'write', accountIds: [accounts[1]] },
        ],
        accounts: accounts.map((id, n) => ({ id, name: `Account ${n + 1}` })),
        routes: Array.from({ length: size }, (_, n) => ({ id: uuid(2, n), ...data(n) })),
      },
    ],
  },
});
const held = (await heldMegabytes()) - before;

interface Created {
  readonly result: { readonly id: string; readonly revision: string; readonly label: string };
}

async function post(path: string, body: object, key?: string): Promise<string> {
  const own = key === undefined ? headers : { ...headers, Authorization: `Bearer ${key}` };
  const init = { method: 'POST', headers: own, body: JSON.stringify(body) };
  const response = await mock.fetch(mock.baseUrl + path, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text}`);
  return text;
}

const change = (operationId: string, what: object) => ({ operationId, change: what });
const create = (n: number) => change(crypto.randomUUID(), { action: 'create-routes', data: data(n) });
const remove = ({ id, revision, label }: Created['result']) =>
  change(crypto.randomUUID(), {
    action: 'delete-configuration',
    resource: 'routes',
    id,
    expectedRevision: revision,
    expectedLabel: label,
  });

const any = (below: number): number => Math.floor(Math.random() * below);
/** Seeded records with an odd remainder stay. Many of the others are deleted below. */
const kept = (): string => uuid(2, any(Math.floor((size - 8) / 8)) * 8 + 3);
/**
 * A few pages at offsets all over the list. The first read of a record also computes its JSON and its revision, and in a
 * small mock every record is soon read.
 */
const places = 40;
const page = (key?: string) =>
  post(
    '/chat/read',
    { resource: 'routes', offset: Math.floor((any(places) * size * 0.4) / places), limit: 20 },
    key,
  );
/** A new offset each time, whose records were not read before. */
let visited = 0;
const newPage = () =>
  post('/chat/read', { resource: 'routes', offset: Math.floor(size * 0.45) + 20 * visited++, limit: 20 });

// Deletions all over the list: pages must be right at any offset after them.
const gaps = Math.min(Math.floor(size / 8), 10_000);
for (let n = 0; n < gaps; n++) {
  const id = uuid(2, Math.floor((n * size) / gaps / 8) * 8);
  const text = await post('/chat/read', { resource: 'routes', id });
  await post('/chat/changes', remove((JSON.parse(text) as { record: Created['result'] }).record));
}

const works = ['read', 'page', 'pageOfOneAccount', 'create', 'replay', 'delete'] as const;
export type Work = (typeof works)[number];

/** Few records are created before they are deleted again, so that a small mock stays small. */
const calls = 200;
/** Repetitions per turn, so that no figure depends on when a collection happens. */
const batches = 6;

/** Runs each kind of work and returns microseconds per call. The number of records stays the same. */
async function batch(): Promise<Record<Work, number>> {
  const changes = Array.from({ length: calls }, (_, n) => create(n));
  const read = await microseconds(calls, () => post('/chat/read', { resource: 'routes', id: kept() }));
  const anyPage = await microseconds(calls, () => page());
  const pageOfOneAccount = await microseconds(calls, () => page('one-account'));
  const texts: string[] = [];
  const created = await microseconds(calls, async (i) =>
    texts.push(await post('/chat/changes', changes[i]!)),
  );
  const replay = await microseconds(calls, (i) => post('/chat/changes', changes[i]!));
  const removals = texts.map((text) => remove((JSON.parse(text) as Created).result));
  const removed = await microseconds(calls, (i) => post('/chat/changes', removals[i]!));
  return { read, page: anyPage, pageOfOneAccount, create: created, replay, delete: removed };
}

answerParent({
  held: () => held,
  async turn() {
    const all: Record<Work, number>[] = [];
    for (let i = 0; i < batches; i++) all.push(await batch());
    const mean = (work: Work): number => all.reduce((sum, costs) => sum + costs[work], 0) / batches;
    return Object.fromEntries(works.map((work) => [work, mean(work)]));
  },
  'page never read before': () => microseconds(50, newPage),
  fork: () =>
    microseconds(10 * calls, () => {
      mock.sandbox().drop();
    }),
});
