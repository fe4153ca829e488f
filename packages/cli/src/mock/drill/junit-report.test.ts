import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeJunit } from './junit-report.ts';
import type { DrillRow } from './report.ts';

const folder = mkdtempSync(join(tmpdir(), 'drill-report-'));
afterAll(() => rmSync(folder, { recursive: true }));

const row: DrillRow = {
  write: 1,
  action: 'create-tags',
  record: '<VIP> & "co"',
  fault: 'kill',
  verdict: 'ok',
  lost: [],
  doubled: [],
  hit: true,
  waited: false,
  exit: 0,
  durationMs: 1_234,
  output: '',
};

test('a JUnit report has a test case per row, with a failure if something was lost or doubled, and what was not tried', async () => {
  const file = join(folder, 'drill.xml');
  const bad = { ...row, verdict: 'lost', lost: ['tags "A": missing'], output: 'no\u0000 answer' } as const;
  const waited = { ...row, fault: 'delay', waited: true } as const;
  const notTried = [
    { fault: 'uncertain-applied', writes: [1, 2], why: 'left out by --fault' },
    { fault: null, writes: [], why: 'faults hit only writes' },
  ] as const;
  await writeJunit(file, { command: ['sh', '-c', 'a && b'], rows: [row, bad, waited], notTried });
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('tests="6" failures="1" skipped="4" time="3.702"');
  expect(text).toContain('name="mock drill of sh -c a &amp;&amp; b"');
  expect(text).toContain(
    'classname="write 1 create-tags &lt;VIP&gt; &amp; &quot;co&quot;" name="kill" time="1.234"/>',
  );
  expect(text.match(/<skipped message="[^"]*"/g)).toEqual([
    '<skipped message="the client waited for the answer: use a --delay that is longer than its timeout"',
    '<skipped message="left out by --fault"',
    '<skipped message="left out by --fault"',
    '<skipped message="faults hit only writes"',
  ]);
  expect(text).toContain('<failure type="lost" message="tags &quot;A&quot;: missing">no answer</failure>');
});
