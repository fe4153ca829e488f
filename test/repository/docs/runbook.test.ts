import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

/* docs/runbook.md says what to do for every code of a FleetError and for every alert. */

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, root)), 'utf8');
const page = read('docs/runbook.md');

/** The first cells of the rows below a heading. */
function listRows(heading: string): string[] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, cell = '']) => cell).sort();
}

test('every code of a FleetError has a row', () => {
  const [, union = ''] =
    /type FleetErrorCode =([^;]+);/.exec(read('packages/fleet/src/fleet-error.ts')) ?? [];
  const codes = [...union.matchAll(/'(\w+)'/g)].map(([, code = '']) => code).sort();
  expect(codes.length).toBeGreaterThan(5);
  expect(listRows('By the code of the error').filter((cell) => cell !== 'code')).toEqual(codes);
});

test('every alert has a row', () => {
  const { groups } = parse(read('examples/metrics/alerts.yml')) as {
    readonly groups: readonly { readonly rules: readonly { readonly alert: string }[] }[];
  };
  const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)).sort();
  expect(listRows('By the alert')).toEqual(alerts);
});
