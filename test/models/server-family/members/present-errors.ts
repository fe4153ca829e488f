import type { Refusal } from '../server/organization.ts';
import type { Answer } from '../server/service.ts';
import type { Choices } from './axes.ts';

/** The code of each meaning that the server uses, and another one. */
const codes: Readonly<Record<string, readonly [known: string, other: string]>> = {
  unauthorized: ['UNAUTHORIZED', 'bad_key'],
  forbidden: ['FORBIDDEN', 'FORBIDDEN'],
  invalidInput: ['INVALID_INPUT', 'validation_failed'],
  notFound: ['NOT_FOUND', 'missing'],
  staleRevision: ['STALE_REVISION', 'version_mismatch'],
  inputConflict: ['INPUT_CONFLICT', 'operation_differs'],
  rateLimited: ['RATE_LIMITED', 'slow_down'],
};

/** The codes of a member by their meaning. */
export const otherCodes = (): Record<string, string> =>
  Object.fromEntries(Object.entries(codes).map(([meaning, [, other]]) => [meaning, other]));

/** How long a limited client has to wait. */
export const retryAfterSeconds = 30;

export function writeError({ status, meaning, message }: Refusal, choices: Choices): Answer {
  if (status === 404 && choices.notFound === 'html')
    return { status, body: '<!doctype html><title>404</title><h1>Not found</h1>' };
  const [known, other] = codes[meaning] ?? [];
  const body = { error: choices.codes === 'known' ? known : other, message };
  const retryAfter = {
    seconds: String(retryAfterSeconds),
    date: new Date(Date.now() + retryAfterSeconds * 1000).toUTCString(),
  };
  if (status !== 429 || choices.retryAfter === 'absent') return { status, body };
  return { status, body, headers: { 'retry-after': retryAfter[choices.retryAfter] } };
}
