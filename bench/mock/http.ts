import { answerOf, freshShot, median, rate, type Shot, shot, spread } from './load.ts';
import { start } from './spawn.ts';

/*
 * The mock against a bare node:http server that parses the same body and answers the same bytes, 20 connections.
 * Rounds are interleaved, so that what else the machine does hits both: `npx tsx bench/mock/http.ts [rounds] [ms]`.
 */
const rounds = Number(process.argv[2] ?? 7);
const milliseconds = Number(process.argv[3] ?? 1500);

interface Case {
  readonly name: string;
  readonly target: number;
  readonly path: string;
  readonly body: object;
  /** A new operationId each time. */
  readonly fresh?: boolean;
}

const mock = await start('./mock-server.ts');
const list = JSON.parse(await answerOf(mock.port, '/chat/read', { resource: 'tags', limit: 1 })) as {
  records: { id: string }[];
};
const change = { change: { action: 'create-tags', data: { name: 'Bench', color: 'blue' } } };
const replay = { operationId: crypto.randomUUID(), ...change };
await answerOf(mock.port, '/chat/changes', replay);

const cases: readonly Case[] = [
  {
    name: 'read by id',
    target: 0.8,
    path: '/chat/read',
    body: { resource: 'tags', id: list.records[0]?.id },
  },
  { name: 'replay', target: 0.7, path: '/chat/changes', body: replay },
  { name: 'create', target: 0.55, path: '/chat/changes', body: change, fresh: true },
  { name: 'list of 50', target: 0.5, path: '/chat/read', body: { resource: 'tags', limit: 50 } },
];

console.log('| request | mock, 1/s | bare, 1/s | ratio | target |\n|---|---|---|---|---|');
for (const { name, target, path, body, fresh } of cases) {
  const sample = fresh ? { operationId: crypto.randomUUID(), ...body } : body;
  const bare = await start('./bare-server.ts', [], { answer: await answerOf(mock.port, path, sample) });
  const to = (port: number): Shot => (fresh ? freshShot(port, path, body) : shot(port, path, body));
  const own: number[] = [];
  const theirs: number[] = [];
  for (const port of [mock.port, bare.port]) await rate(port, to(port), milliseconds / 2);
  for (let round = 0; round < rounds; round++) {
    own.push(await rate(mock.port, to(mock.port), milliseconds));
    theirs.push(await rate(bare.port, to(bare.port), milliseconds));
  }
  const ratios = own.map((value, i) => value / (theirs[i] ?? Number.NaN));
  console.log(
    `| ${name} | ${Math.round(median(own))} | ${Math.round(median(theirs))} | ${spread(ratios)} | ${target} |`,
  );
  bare.stop();
}
mock.stop();
