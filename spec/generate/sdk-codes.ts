import { readFileSync } from 'node:fs';
import { codeMeanings } from '../src/index.ts';

/** The meanings of error codes as data: the SDK takes nothing else from the catalogue. */
export function sdkCodeMeanings(): string {
  return [
    '/** What an error code can mean, with its default code and the statuses it can come with. */',
    `export const codeMeanings = ${JSON.stringify(codeMeanings, null, 2)} as const;`,
    '',
    'export type CodeMeaning = keyof typeof codeMeanings;',
    '',
  ].join('\n');
}

/** The resolution of the option `codes`. It imports nothing but the meanings, so its text serves both sides. */
export function sdkResolveCodes(): string {
  return readFileSync(new URL('../src/resolve-codes.ts', import.meta.url), 'utf8');
}
