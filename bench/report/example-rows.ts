import { against, figure, type Group, type Row } from '../support/row.ts';

/* Example rows for the tests of the report. */

const http: Group = { title: 'The mock over HTTP, 20 connections', about: 'Answers per second.' };
const sdk: Group = { title: 'The SDK: one call', about: 'Processor time of a call.' };
const size: Group = { title: 'The SDK: size', about: 'One file, gzipped.' };

const read = { group: http, what: 'read by id', unit: 'req/s', ours: [800, 840, 900] } as const;
const create = { group: http, what: 'create', unit: 'req/s', ours: [500, 520, 600] } as const;

export const met: Row = against(
  { ...read, target: { atLeast: 0.8 } },
  '×',
  'bare node:http',
  [1000, 1000, 1000],
);
const untargeted: Row = against(read, '×', 'Fastify <5>', [700, 700, 700]);
const missed: Row = against(
  { ...create, target: { atLeast: 0.55 }, spentOn: 'Hashing takes the time.' },
  '×',
  'bare node:http',
  [1000, 1000, 1000],
);
const difference: Row = against(
  { group: sdk, what: 'read', unit: 'µs', ours: [30, 31, 32], target: { atMost: 25 } },
  '−',
  'openapi-fetch',
  [20, 22, 21],
);
export const alone: Row = figure({
  group: size,
  what: 'everything',
  unit: 'kB',
  ours: [15.5],
  target: { atMost: 12 },
});

export const rows: readonly Row[] = [met, untargeted, missed, difference, alone];
