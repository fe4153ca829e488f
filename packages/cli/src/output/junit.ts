import { writeAtomic } from './write-file.ts';

/** A test case of a JUnit report. It passed unless it has `skipped` or `failure`. */
export interface JunitCase {
  /** What it belongs to. */
  readonly group: string;
  readonly name: string;
  readonly durationMs?: number;
  /** Why it says nothing. */
  readonly skipped?: string | undefined;
  readonly failure?:
    | { readonly type: string; readonly message: string; readonly details: string }
    | undefined;
  /** What a reader may want to know of a case that passed. */
  readonly note?: string | undefined;
}

/** Writes a JUnit report of one suite. */
export async function writeJunitFile(
  file: string,
  suite: string,
  cases: readonly JunitCase[],
): Promise<void> {
  const skipped = cases.filter((one) => one.skipped !== undefined).length;
  const failures = cases.filter((one) => one.failure !== undefined).length;
  const total = cases.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0);
  const counts = `tests="${cases.length}" failures="${failures}" skipped="${skipped}" time="${toSeconds(total)}"`;
  const text = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${escapeXml(suite)}" ${counts}>`,
    ...cases.map(toElement),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
  await writeAtomic(file, (write) => write(text));
}

const toSeconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

function toElement({ group, name, durationMs = 0, skipped, failure, note }: JunitCase): string {
  const start = `    <testcase classname="${escapeXml(group)}" name="${escapeXml(name)}" time="${toSeconds(durationMs)}"`;
  if (skipped !== undefined) return `${start}><skipped message="${escapeXml(skipped)}"/></testcase>`;
  if (failure !== undefined) {
    const { type, message, details } = failure;
    return `${start}><failure type="${type}" message="${escapeXml(message)}">${escapeXml(details)}</failure></testcase>`;
  }
  return note === undefined
    ? `${start}/>`
    : `${start}><system-out>${escapeXml(note)}</system-out></testcase>`;
}

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
