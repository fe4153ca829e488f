import { createMock, generateSeed, type Mock } from '@orgchat/mock-server';
import { median } from './load.ts';

/*
 * The cost of a `mock.fetch` call at a million records against a thousand: `npx tsx bench/mock/scale.ts [records]`.
 * Both worlds stand side by side and rounds are interleaved.
 */
const large = Number(process.argv[2] ?? 1_000_000);
const rounds = 9;

interface Subject {
  readonly mock: Mock;
  readonly records: number;
  readonly ids: readonly string[];
}

async function call(mock: Mock, path: string, body: object): Promise<string> {
  const response = await mock.fetch(`${mock.baseUrl}${path}`, {
    method: 'POST',
    headers: { Authorization: 'Bearer demo-write-key' },
    body: JSON.stringify(body),
  });
  return response.text();
}

const change = (mock: Mock, inner: object, operationId: string = crypto.randomUUID()): Promise<string> =>
  call(mock, '/chat/changes', { operationId, change: inner });

async function subject(records: number): Promise<Subject> {
  const mock = createMock({
    seed: generateSeed({ templates: records }),
    rateLimit: 'off',
    monthlyLimit: 'off',
  });
  const ids: string[] = [];
  for (let i = 0; i < 1000; i++) {
    const offset = Math.floor((Math.min(records, 1_000_000) / 1000) * i);
    const page = JSON.parse(await call(mock, '/chat/read', { resource: 'templates', offset, limit: 1 })) as {
      records: { id: string; revision: string; label: string }[];
    };
    const record = page.records[0];
    if (record === undefined) continue;
    ids.push(record.id);
    // Every tenth is deleted, so that pages are read after deletions too.
    if (i % 10 !== 0) continue;
    const guard = { expectedRevision: record.revision, expectedLabel: record.label };
    await change(mock, { action: 'delete-configuration', resource: 'templates', id: record.id, ...guard });
    ids.pop();
  }
  return { mock, records, ids };
}

const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T;
const data = { name: 'Bench', text: 'x' };
const replayed = crypto.randomUUID();

const cases: Record<string, (subject: Subject) => Promise<unknown>> = {
  'keyed read': ({ mock, ids }) => call(mock, '/chat/read', { resource: 'templates', id: pick(ids) }),
  'page at any offset': ({ mock, records }) =>
    call(mock, '/chat/read', {
      resource: 'templates',
      offset: Math.floor(Math.random() * records * 0.9),
      limit: 10,
    }),
  create: ({ mock }) => change(mock, { action: 'create-templates', data }),
  replay: ({ mock }) => change(mock, { action: 'create-templates', data }, replayed),
};

/** Microseconds a deletion: what is deleted is made before, outside of the time taken. */
async function deletions({ mock }: Subject, count: number): Promise<number> {
  const removals: object[] = [];
  for (let i = 0; i < count; i++) {
    const { result } = JSON.parse(await change(mock, { action: 'create-templates', data })) as {
      result: { id: string; revision: string; label: string };
    };
    const guard = { expectedRevision: result.revision, expectedLabel: result.label };
    removals.push({ action: 'delete-configuration', resource: 'templates', id: result.id, ...guard });
  }
  const begun = performance.now();
  for (const removal of removals) await change(mock, removal);
  return ((performance.now() - begun) * 1000) / count;
}

async function cost(
  run: (subject: Subject) => Promise<unknown>,
  on: Subject,
  count: number,
): Promise<number> {
  const begun = performance.now();
  for (let i = 0; i < count; i++) await run(on);
  return ((performance.now() - begun) * 1000) / count;
}

const small = await subject(1000);
const big = await subject(large);
for (const { mock } of [small, big]) await change(mock, { action: 'create-templates', data }, replayed);
const measures: [string, (on: Subject) => Promise<number>][] = [
  ...Object.entries(cases).map(([name, run]): [string, (on: Subject) => Promise<number>] => [
    name,
    (on) => cost(run, on, 1000),
  ]),
  ['deletion', (on) => deletions(on, 500)],
];
console.log(
  `| call | at 1,000, µs | at ${large.toLocaleString('en')}, µs | ratio | target |\n|---|---|---|---|---|`,
);
for (const [name, measure] of measures) {
  const [few, many]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds + 2; round++) {
    few.push(await measure(small));
    many.push(await measure(big));
  }
  const [a, b] = [median(few.slice(2)), median(many.slice(2))];
  console.log(`| ${name} | ${a.toFixed(1)} | ${b.toFixed(1)} | ${(b / a).toFixed(2)} | 1.5 |`);
}
