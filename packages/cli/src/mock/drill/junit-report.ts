import { writeAtomic } from '../../output/write-file.ts';
import { explainUnproven } from './not-tried.ts';
import { type DrillReport, type DrillRow, explain } from './report.ts';

/**
 * Writes a JUnit report: one test case per write and fault. What was not tried is skipped, with the reason. A class is a
 * write.
 */
export async function writeJunit(file: string, report: DrillReport): Promise<void> {
  const { command, rows, notTried } = report;
  const names = new Map(rows.map((row) => [row.write, getName(row)]));
  const tried = new Set(rows.map(({ write, fault }) => `${write} ${fault}`));
  const missing = notTried.flatMap(({ fault, writes, why }) =>
    fault === null
      ? [toSkipped('other requests', 'every fault', why)]
      : writes
          .filter((write) => !tried.has(`${write} ${fault}`))
          .map((write) => toSkipped(names.get(write) ?? `write ${write}`, fault, why)),
  );
  const unproven = rows.filter((row) => explainUnproven(row) !== undefined).length;
  const failures = rows.filter(({ verdict }) => verdict !== 'ok').length;
  const total = rows.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const counts = `tests="${rows.length + missing.length}" failures="${failures}" skipped="${missing.length + unproven}" time="${toSeconds(total)}"`;
  const text = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${escapeXml(`orgchat mock drill: ${command.join(' ')}`)}" ${counts}>`,
    ...rows.map(toCase),
    ...missing,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
  await writeAtomic(file, (write) => write(text));
}

const getName = ({ write, action, record }: DrillRow): string =>
  [`write ${write}`, action, record].filter(Boolean).join(' ');

const toSeconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

function toCase(row: DrillRow): string {
  const start = `    <testcase classname="${escapeXml(getName(row))}" name="${row.fault}" time="${toSeconds(row.durationMs)}"`;
  const unproven = explainUnproven(row);
  if (unproven !== undefined) return `${start}><skipped message="${escapeXml(unproven)}"/></testcase>`;
  if (row.verdict === 'ok') return `${start}/>`;
  const failure = `<failure type="${row.verdict}" message="${escapeXml(explain(row))}">${escapeXml(row.output)}</failure>`;
  return `${start}>${failure}</testcase>`;
}

const toSkipped = (name: string, fault: string, why: string): string =>
  `    <testcase classname="${escapeXml(name)}" name="${fault}" time="0"><skipped message="${escapeXml(why)}"/></testcase>`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML 1.0 allows no other control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to remove.
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Escapes a text for XML 1.0, without the characters that it cannot contain. */
export const escapeXml = (text: string): string =>
  text
    .replaceAll(forbidden, '')
    .replaceAll(/\p{Surrogate}/gu, '')
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
