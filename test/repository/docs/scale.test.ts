import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compilePrograms } from '../../test-support/page-code.ts';

/* docs/scale.md has the figures of the bench, and its arithmetic is right. */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const page = readFileSync(join(root, 'docs/scale.md'), 'utf8');
const bench = readFileSync(join(root, 'bench/RESULTS.md'), 'utf8');
const engines = ['Postgres', 'Redis'] as const;
const rows = [
  ...['operations, 1 at once', 'operations, 8 at once', 'operations, 32 at once'],
  ...['size of a settled operation, with indexes', 'commands per 5 s of an idle process'],
  'cleaning 10,000 old operations',
];

/** The figure of a row as the bench prints it, such as `1,085`; undefined if an engine does not have the row. */
function figureOf(engine: (typeof engines)[number], row: string): string | undefined {
  const group = bench.split('\n| **').find((part) => part.startsWith(`The fleet on ${engine}**`)) ?? '';
  return group.split(`\n| ${row} | `)[1]?.match(/^[\d,.]+/)?.[0];
}

/** The first number of each engine in a row of the page. */
function figuresOnPage(row: string): (string | undefined)[] {
  const cells = page.split(`\n| *${row}* | `)[1]?.split('\n')[0]?.split('|') ?? [];
  return cells.slice(0, 2).map((cell) => cell.trim().match(/^[\d,.]+/)?.[0]);
}

const withoutZeros = (figure: string | undefined) => figure?.replace(/^0\.00$/, '0');

describe('the figures are those of bench/RESULTS.md', () => {
  it.each(rows)('%s', (row) => {
    expect(figuresOnPage(row)).toEqual(engines.map((engine) => withoutZeros(figureOf(engine, row))));
  });

  it('also in the arithmetic', () => {
    for (const engine of engines) {
      expect(page).toContain(`${figureOf(engine, 'operations, 32 at once')} ÷ 2 = `);
      expect(page).toContain(
        `604,800 × ${figureOf(engine, 'size of a settled operation, with indexes')} kB = `,
      );
    }
    expect(page).toContain(`10,000 × ${figureOf('Postgres', 'cleaning 10,000 old operations')} ms = `);
  });

  it('and the page says whether the machine was idle', () => {
    const busy = '**the machine was not idle, so the spreads are wider**';
    expect(page.includes(busy)).toBe(bench.includes(busy));
  });
});

const units: Readonly<Record<string, number>> = { kB: 1e3, MB: 1e6, GB: 1e9, ms: 1e-3 };
const quantity = String.raw`[\d,]+(?:\.\d+)?(?: (?:kB|MB|GB|ms|s)\b)?`;
const formulas = page
  .replaceAll(/\s+/g, ' ')
  .matchAll(new RegExp(`(${quantity}(?: [×÷] ${quantity})+) = (${quantity})`, 'g'));

function parseQuantity(text: string): { readonly value: number; readonly step: number } {
  const [number = '', unit = ''] = text.split(' ');
  const digits = number.replaceAll(',', '');
  const scale = units[unit] ?? 1;
  return { value: Number(digits) * scale, step: scale / 10 ** (digits.split('.')[1]?.length ?? 0) };
}

function evaluate(formula: string): number {
  const [first = '', ...rest] = formula.split(/ (?=[×÷])/);
  return rest.reduce((result, part) => {
    const { value } = parseQuantity(part.slice(2));
    return part.startsWith('×') ? result * value : result / value;
  }, parseQuantity(first).value);
}

describe('the arithmetic is right:', () => {
  const all = Array.from(formulas, ([, formula = '', result = '']) => [formula, result] as const);

  it('of every formula', () => {
    expect(all.length).toBeGreaterThan(20);
  });

  it.each(all)('%s = %s', (formula, result) => {
    const { value, step } = parseQuantity(result);
    expect(Math.abs(evaluate(formula) - value)).toBeLessThan(step);
  });
});

it('the code compiles', async () => {
  const [, code = ''] = /^```ts\n([\s\S]*?)^```/m.exec(page) ?? [];
  const folder = mkdtempSync(join(root, 'node_modules/.scale-'));
  try {
    const flags = ['--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];
    expect(await compilePrograms(folder, [code], flags)).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 60_000);
