import type { Context } from '../../context.ts';
import { explain } from '../../error-conversion/error-hints.ts';
import type { ExitCode } from '../../errors/exit-codes.ts';

/** One row of what was checked. */
export interface Check {
  readonly check: string;
  readonly result: 'ok' | 'warning' | 'failed';
  readonly detail: string;
  readonly hint?: string;
  readonly exit?: ExitCode;
}

export const ok = (check: string, detail: string): Check => ({ check, result: 'ok', detail });
export const warning = (check: string, detail: string, hint: string): Check => ({
  check,
  result: 'warning',
  detail,
  hint,
});

export async function failedCheck(context: Context, check: string, error: unknown): Promise<Check> {
  const explained = explain(error, { notFound: 'Check the base URL, including its path.' });
  const { message, advice, exit } = await context.toCliError(explained);
  return { check, result: 'failed', detail: message, hint: advice, exit };
}
