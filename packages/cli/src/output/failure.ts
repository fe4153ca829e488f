import type { Failure } from '../failure.ts';
import type { Format } from '../globals.ts';
import { plain } from './plain.ts';

/**
 * An error in JSON is one document on stdout. Where nobody named a format and stdout is no terminal, both the
 * document and the text are written: a program reads the one, the person who reads its log the other. `textOnly`
 * keeps stdout free for somebody else.
 */
export function writeFailure(
  failure: Failure,
  named: Format | undefined,
  debug: boolean,
  textOnly: boolean,
): void {
  const format = named ?? (process.stdout.isTTY || textOnly ? 'table' : 'json');
  const conceal = concealing(process.env.ORGCHAT_API_KEY);
  if (format === 'json') process.stdout.write(`${conceal(JSON.stringify(failure.toDocument(), null, 2))}\n`);
  if (format === 'ndjson') process.stdout.write(`${conceal(JSON.stringify(failure.toDocument()))}\n`);
  const isDocument = format === 'json' || format === 'ndjson';
  if (!isDocument || named === undefined) process.stderr.write(conceal(failureText(failure)));
  if (debug) process.stderr.write(`${conceal(stackOf(failure))}\n`);
}

/** An error repeats what was typed, and someone may have typed the key where a name belongs. */
function concealing(key: string | undefined): (text: string) => string {
  const secret = key?.trim() ?? '';
  return (text) => (secret.length < 8 ? text : text.replaceAll(secret, '…'));
}

export function failureText(failure: Failure): string {
  const lines = [`orgchat: ${plain(failure.message)}`, ...failure.details.map((line) => `  ${plain(line)}`)];
  if (failure.operationId !== undefined) lines.push(`  operation: ${failure.operationId}`);
  lines.push(`  next: ${plain(failure.hint)}`);
  return `${lines.join('\n')}\n`;
}

function stackOf(failure: Failure): string {
  const { cause } = failure;
  const shown = cause instanceof Error ? cause : failure;
  return shown.stack ?? shown.message;
}
