import { isObject } from '@orgchat/spec/is-object';

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** A text without anything that separates values or records, as `@tsv` of jq writes it. `printf %b` reads it. */
const escapeSeparators = (text: string): string =>
  text.replace(/[\\\t\n\r]/g, (sign) => escapes[sign] ?? sign);

function toText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return escapeSeparators(typeof value === 'string' ? value : JSON.stringify(value));
}

/** The bare values of a record on one line, with tabs between them. A missing value is empty. */
export function toValueLine(picked: unknown): string {
  const values = isObject(picked) ? Object.values(picked) : [picked];
  return `${values.map(toText).join('\t')}\n`;
}
