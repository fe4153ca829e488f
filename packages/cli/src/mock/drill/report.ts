import type { Output } from '../../output/output.ts';
import { writeAtomic } from '../../output/write-file.ts';
import type { DrillFault } from './drill-faults.ts';
import type { Judgment } from './judge.ts';

/** The result of one write and one fault. */
export interface DrillRow extends Judgment {
  /** The number of the write in the clean run, from 1. */
  readonly write: number;
  readonly action: string;
  /** The name of the record; null if it is not known. */
  readonly record: string | null;
  readonly fault: DrillFault;
  /** Whether the fault hit a request of this run. */
  readonly hit: boolean;
  /** The exit code of the command; null if it ran out of time. */
  readonly exit: number | null;
  readonly durationMs: number;
  readonly output: string;
}

/** Prints a row per write and fault as a table, or everything as one document. */
export async function printReport(
  output: Output,
  command: readonly string[],
  rows: readonly DrillRow[],
): Promise<void> {
  const count = (verdict: DrillRow['verdict']): number =>
    rows.filter((row) => row.verdict === verdict).length;
  const summary = { runs: rows.length, ok: count('ok'), lost: count('lost'), doubled: count('doubled') };
  if (output.format === 'table') {
    const shown = rows.map((row) => ({ ...row, why: explain(row) }));
    await output.many(shown, ['write', 'action', 'record', 'fault', 'verdict', 'exit', 'why']);
    output.note(`${summary.runs} runs: ${summary.ok} ok, ${summary.lost} lost, ${summary.doubled} doubled.`);
  } else {
    const shown = rows.map(({ output: text, ...row }) =>
      row.verdict === 'ok' ? row : { ...row, output: text },
    );
    const writes = new Set(rows.map(({ write }) => write)).size;
    await output.one({ command, writes, ...summary, rows: shown });
  }
  const missed = rows.filter(({ hit }) => !hit).length;
  if (missed > 0)
    output.note(
      `${missed} faults hit no request: the command sent fewer writes than in its clean run, or in another order.`,
    );
}

/** Why a run has its verdict, in words. */
export const explain = ({ lost, doubled, note, hit }: DrillRow): string =>
  [
    ...lost,
    ...doubled,
    ...(note === undefined ? [] : [note]),
    ...(hit ? [] : ['the fault hit no request']),
  ].join('; ');

/** Writes the rows as a JUnit report: one test case per write and fault. */
export async function writeJunit(
  file: string,
  command: readonly string[],
  rows: readonly DrillRow[],
): Promise<void> {
  const failures = rows.filter(({ verdict }) => verdict !== 'ok').length;
  const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);
  const total = rows.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const cases = rows.map((row) => {
    const name = [`write ${row.write}`, row.action, row.record].filter(Boolean).join(' ');
    const start = `    <testcase classname="${escapeXml(name)}" name="${row.fault}" time="${seconds(row.durationMs)}"`;
    if (row.verdict === 'ok') return `${start}/>`;
    const failure = `<failure type="${row.verdict}" message="${escapeXml(explain(row))}">${escapeXml(row.output)}</failure>`;
    return `${start}>${failure}</testcase>`;
  });
  const text = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${rows.length}" failures="${failures}" time="${seconds(total)}">`,
    `  <testsuite name="${escapeXml(`orgchat mock drill: ${command.join(' ')}`)}" tests="${rows.length}" failures="${failures}" time="${seconds(total)}">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
  await writeAtomic(file, (write) => write(text));
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text for XML 1.0, without the characters that it cannot contain. */
export const escapeXml = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 allows no other control characters.
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll(/\p{Surrogate}/gu, '')
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
