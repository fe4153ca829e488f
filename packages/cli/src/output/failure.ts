import type { Failure } from '../failure.ts';
import type { Format } from '../globals.ts';
import { writeData, writeError } from '../streams.ts';
import { plainLine, plainText } from './plain.ts';
import { isTerminal } from './terminal.ts';

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
  const format = named ?? (isTerminal('stdout') || textOnly ? 'table' : 'json');
  const conceal = concealing(process.env.ORGCHAT_API_KEY);
  const document = JSON.stringify(failure.toDocument(), null, format === 'json' ? 2 : 0);
  const isDocument = format === 'json' || format === 'ndjson';
  if (isDocument) void writeData(`${conceal(document)}\n`, 'json');
  if (!isDocument || named === undefined) writeError(conceal(failureText(failure)));
  if (debug) writeError(conceal(debugText(stackOf(failure))));
}

/** An error repeats what was typed, and someone may have typed the key where a name belongs. */
function concealing(key: string | undefined): (text: string) => string {
  const secret = key?.trim() ?? '';
  return (text) => (secret.length < 8 ? text : text.replaceAll(secret, '…'));
}

/** An error for people. Each part stays on its own line: no name in it can pass for the next step. */
export function failureText(failure: Failure): string {
  const { headline, listed, details, operationId, hint } = failure;
  const lines = [
    `orgchat: ${plainLine(headline)}`,
    ...[...listed, ...details].map((line) => `  ${plainLine(line)}`),
    ...(operationId === undefined ? [] : [`  operation: ${plainLine(operationId)}`]),
    `  next: ${plainLine(hint)}`,
  ];
  return `${lines.join('\n')}\n`;
}

function stackOf(failure: Failure): string {
  const { cause } = failure;
  const shown = cause instanceof Error ? cause : failure;
  return shown.stack ?? shown.message;
}

/** Marks every line of a text as one of --debug. */
export const debugText = (text: string): string => plainText(text).replace(/^/gm, 'debug: ').concat('\n');
