import { expect, test } from 'vitest';
import * as example from './example-rows.ts';
import { results } from './results.ts';
import { summary } from './summary.ts';
import { table } from './table.ts';

test('a row shows the comparison, the result over the rounds, and the target', () => {
  const lines = table(example.rows).split('\n');
  expect(lines.slice(2, 5)).toEqual([
    '| **The mock over HTTP, 20 connections** |  |  |  |  |  |  |',
    '| read by id | 840 req/s | ÷ bare node:http | 1,000 req/s | **0.84 ×** (0.82 – 0.87) | ≥ 0.8 × | met |',
    '| read by id | 840 req/s | ÷ Fastify <5> | 700 req/s | **1.20 ×** (1.17 – 1.24) |  |  |',
  ]);
  expect(lines).toContain(
    '| read | 31.0 µs | − openapi-fetch | 21.0 µs | **10.0 µs** (9.50 – 10.5) | ≤ 25 µs | met |',
  );
});

test('a figure that was measured once has no spread', () => {
  expect(table([example.alone])).toContain(
    '| everything | 15.5 kB |  |  | **15.5 kB** | ≤ 12 kB | **missed** |',
  );
});

test('missed targets are listed first, with the reason if it is known', () => {
  const text = summary(example.rows, []);
  expect(text).toMatch(/^2 of 4 targets are met\. Missed:\n/);
  expect(text).toContain(
    'create** compared with bare node:http: **0.52 ×** (0.51 – 0.56). Target: ≥ 0.55 ×. The target is within the spread. Hashing takes the time.',
  );
  expect(text).toContain('everything**: **15.5 kB**. Target: ≤ 12 kB.\n');
  expect(summary([example.met], [])).toBe('1 of 1 targets are met.\n');
});

test('a suite that failed is listed before everything else', () => {
  expect(summary(example.rows, ['http'])).toMatch(
    /^\*\*Not measured because these suites failed: http\.\*\*/,
  );
});

test('the page explains each group once, and shows the environment after what was missed', () => {
  const text = results(example.rows, [], '- Node: v20\n');
  expect(text.match(/Answers per second\./g)).toHaveLength(1);
  expect(text).toContain('- Node: v20');
  expect(text.indexOf('Missed:')).toBeLessThan(text.indexOf('- Node: v20'));
});
