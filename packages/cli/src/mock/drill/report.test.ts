import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type DrillRow, escapeXml, writeJunit } from './report.ts';

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
  exit: 0,
  durationMs: 1_234,
  output: '',
};

test('a JUnit report has a test case per row, with a failure if something was lost or doubled', async () => {
  const file = join(folder, 'drill.xml');
  const bad = { ...row, verdict: 'lost', lost: ['tags "A": missing'], output: 'no\u0000 answer' } as const;
  await writeJunit(file, ['sh', '-c', 'a && b'], [row, bad]);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('tests="2" failures="1" time="2.468"');
  expect(text).toContain('name="orgchat mock drill: sh -c a &amp;&amp; b"');
  expect(text).toContain(
    'classname="write 1 create-tags &lt;VIP&gt; &amp; &quot;co&quot;" name="kill" time="1.234"/>',
  );
  expect(text).toContain('<failure type="lost" message="tags &quot;A&quot;: missing">no answer</failure>');
});

test('a text for XML has no character that XML forbids', () => {
  expect(escapeXml('a\u0001\ud800b\n\u{1f600}\ufffe')).toBe('ab\n\u{1f600}');
});
