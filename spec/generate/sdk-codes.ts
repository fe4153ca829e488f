import { readFileSync } from 'node:fs';
import { codeMeanings } from '../src/index.ts';

/** The SDK explains how to configure a code that may have one of these meanings. */
const explained = ['notFound', 'staleRevision', 'uncertain', 'quotaExceeded'] as const;

/** The meanings of error codes as data: the SDK needs nothing else from the catalog. */
export function sdkCodeMeanings(): string {
  const rows = Object.entries(codeMeanings);
  const meanings = Object.fromEntries(rows.map(([name, { code, statuses }]) => [name, { code, statuses }]));
  const phrases = Object.fromEntries(explained.map((name) => [name, codeMeanings[name].phrase]));
  return [
    '/** What an error code can mean, with its default code and the statuses it can come with. */',
    `export const codeMeanings = ${JSON.stringify(meanings, null, 2)} as const;`,
    '',
    '/** The meanings that decide what the SDK does next, in words. */',
    `export const phrases = ${JSON.stringify(phrases, null, 2)} as const;`,
    '',
    '/** What an error code of the server can mean. */',
    'export type CodeMeaning = keyof typeof codeMeanings;',
    '',
  ].join('\n');
}

/** The resolution of codes. It imports nothing but the meanings, so its text serves both sides. */
export function sdkResolveCodes(): string {
  return readFileSync(new URL('../src/errors/resolve-codes.ts', import.meta.url), 'utf8');
}

/** The description of a server, whose text serves both sides as well. */
export function sdkServerDescription(): string {
  const text = readFileSync(new URL('../src/server/server-description.ts', import.meta.url), 'utf8');
  return text
    .replace("'../errors/resolve-codes.ts'", "'./resolve-codes.ts'")
    .replace("'../resources/names.ts'", "'./resources.ts'");
}

/** What a description says with the defaults filled in. It imports nothing but the description. */
export function sdkResolvedShape(): string {
  return readFileSync(new URL('../src/server/resolved-shape.ts', import.meta.url), 'utf8');
}
