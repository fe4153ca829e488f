import { type ErrorCode, errorCatalog, type Operation, operations } from '@orgchat/spec';
import type { Answer } from './openapi.ts';
import { toMarkdown, toTable } from './page.ts';

/** What a program or its author does about each code. `again` is how a request that may be applied is sent again. */
const toRemedies = (again: string): Readonly<Record<ErrorCode, string>> => ({
  UNAUTHORIZED: 'Check that the whole key is sent, or create a new one.',
  FORBIDDEN: 'Use a key with the scope of the endpoint, from a member who may do this.',
  PLAN_REQUIRED: 'Change the plan of the organization.',
  SUSPENDED: 'Use a key of another member.',
  INVALID_INPUT: 'Fix the input. The same request fails again.',
  KEYWORD_LIMIT_EXCEEDED: 'Add fewer keywords.',
  NOT_FOUND: 'Check the path, and read the list again for the id.',
  METHOD_NOT_ALLOWED: 'Use the method of the endpoint.',
  STALE_REVISION:
    'Read the record again. Send the change with its new revision and label, and with a new operationId.',
  INPUT_CONFLICT: 'Use a new operationId for a new change.',
  OPERATION_UNCERTAIN: 'Send the same request again later, or read the record to see whether it changed.',
  RATE_LIMITED:
    'Wait as many seconds as the header `Retry-After` says, or a minute without it. Then send the request again.',
  QUOTA_EXCEEDED: 'Wait for the next month, or change the plan.',
  INTERNAL_ERROR: again,
  RUNTIME_UNAVAILABLE: again,
});

/** How a request is sent again that may be applied. */
const repeats: Readonly<Record<Operation['retry'], string>> = {
  always: 'Send it again later.',
  'same-operation-id': 'Send it again later, with the same operationId.',
  never: 'It may have been applied. Check the site before you send it again.',
};

/** What to do about each code that an endpoint answers with, or any endpoint. */
export function listRemedies(operationId = ''): Readonly<Record<ErrorCode, string>> {
  const known: Readonly<Record<string, Operation>> = operations;
  const retry = known[operationId]?.retry;
  return toRemedies(
    retry === undefined ? 'A write may have been applied. See the page of the endpoint.' : repeats[retry],
  );
}

/** Codes that share a status with others, and which requests they answer. */
const owners: readonly (readonly [code: string, status: string, operationId: string])[] = [
  ['KEYWORD_LIMIT_EXCEEDED', '400', 'addSeoKeywords'],
  ['RUNTIME_UNAVAILABLE', '404', 'readChat'],
];

export type Errors = readonly (readonly [status: string, answer: Answer])[];

const isCode = (code: string): code is ErrorCode => code in errorCatalog;

/** A table of errors: of their codes, or of their statuses if the document has no codes. */
export function describeErrors(errors: Errors, operationId?: string): string {
  const isOwn = (code: string, status: string): boolean =>
    owners.every(([one, at, owner]) => one !== code || at !== status || owner === operationId);
  const remedies = listRemedies(operationId);
  const rows = errors.flatMap(([status, { content }]) =>
    Object.entries(content?.['application/json']?.examples ?? {}).flatMap(([code, { summary = '' }]) =>
      isCode(code) && isOwn(code, status)
        ? [
            [
              `[\`${code}\`](/reference/error-codes#${code})`,
              `\`${status}\``,
              toMarkdown(summary),
              toMarkdown(remedies[code]),
            ],
          ]
        : [],
    ),
  );
  if (rows.length > 0) return toTable(['Code', 'Status', 'When', 'What to do'], rows);
  return toTable(
    ['Status', 'When'],
    errors.map(([status, { description }]) => [`\`${status}\``, toMarkdown(description)]),
  );
}
