import type { Format } from '../args/global-options.ts';
import type { CliError } from '../errors/cli-error.ts';
import { escapeLine, escapeText } from './escape.ts';
import { writeData, writeError } from './streams.ts';
import { isTerminal } from './terminal.ts';

/**
 * Writes an error. In JSON it is one document on stdout. Without a requested format and off a terminal, both document
 * and text are written: one for programs, one for logs. `textOnly` keeps stdout free.
 */
export function writeCliError(
  failure: CliError,
  named: Format | undefined,
  debug: boolean,
  textOnly: boolean,
): void {
  const format = named ?? (isTerminal('stdout') || textOnly ? 'table' : 'json');
  const conceal = createMask(process.env);
  const document = JSON.stringify(failure.toDocument(), null, format === 'json' ? 2 : 0);
  const isDocument = format === 'json' || format === 'ndjson';
  if (isDocument) void writeData(`${conceal(document)}\n`, 'json');
  if (!isDocument || named === undefined) writeError(conceal(formatCliError(failure)));
  if (debug) writeStack(failure);
}

/** Writes where an error was thrown, for --debug. */
export function writeStack(failure: CliError): void {
  writeError(createMask(process.env)(debugText(getStack(failure))));
}

/** A password in a URL. */
const urlPassword = /(\b[a-z][a-z+.-]*:\/\/[^\s:/@?#]*):[^\s@/]+@/gi;

/** Creates a function that masks secrets: an error repeats arguments, and one of them may be the key or a password. */
export function createMask({
  ORGCHAT_API_KEY,
  ORGCHAT_JOURNAL,
}: NodeJS.ProcessEnv): (text: string) => string {
  const secrets = [ORGCHAT_API_KEY?.trim() ?? '', ...getPasswords(ORGCHAT_JOURNAL)].filter(
    ({ length }) => length >= 8,
  );
  return (text) =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text.replaceAll(urlPassword, '$1:…@'));
}

/** The password of a URL, as it is written and as it is sent; the whole text if it is not such a URL. */
function getPasswords(url = ''): string[] {
  if (!/^[a-z]+:\/\//i.test(url) || !URL.canParse(url)) return [url];
  const { password } = new URL(url);
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}

/** An error for people. Each part stays on its own line: no name in it can pass for the next step. */
function formatCliError(failure: CliError): string {
  const { headline, listed, details, operationId, hint } = failure;
  const lines = [
    `orgchat: ${escapeLine(headline)}`,
    ...[...listed, ...details].map((line) => `  ${escapeLine(line)}`),
    ...(operationId === undefined ? [] : [`  operation: ${escapeLine(operationId)}`]),
    `  next: ${escapeLine(hint)}`,
  ];
  return `${lines.join('\n')}\n`;
}

function getStack(failure: CliError): string {
  const { cause } = failure;
  const shown = cause instanceof Error ? cause : failure;
  return shown.stack ?? shown.message;
}

/** Marks every line of a text as one of --debug. */
export const debugText = (text: string): string => escapeText(text).replace(/^/gm, 'debug: ').concat('\n');
