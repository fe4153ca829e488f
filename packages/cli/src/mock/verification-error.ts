import * as z from 'zod';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';

const refusal = z.looseObject({
  message: z.string(),
  expected: z.union([z.number(), z.looseObject({})]),
  count: z.number(),
  complete: z.boolean(),
  dropped: z.looseObject({ entries: z.number() }),
  nearMisses: z.array(
    z.looseObject({
      missed: z.array(z.string()),
      differences: z
        .array(z.looseObject({ field: z.string(), expected: z.unknown(), found: z.unknown() }))
        .default([]),
      request: z.looseObject({
        id: z.number(),
        operation: z.string().nullable(),
        action: z.string().nullable(),
        status: z.number().nullable(),
      }),
    }),
  ),
});

/** What differs: `status (expected 200, found 409)`. An older mock only names the filters. */
const describeDifferences = (missed: readonly string[], differences: readonly Difference[]): string =>
  differences.length === 0
    ? missed.join(', ')
    : differences
        .map(
          ({ field, expected, found }) =>
            `${field} (expected ${JSON.stringify(expected)}, found ${JSON.stringify(found) ?? 'nothing'})`,
        )
        .join(', ');

interface Difference {
  readonly field: string;
  readonly expected?: unknown;
  readonly found?: unknown;
}

/** The error of a failed verification, with the requests that match best. */
export function verificationError(body: unknown): CliError {
  const { message, expected, count, complete, dropped, nearMisses } = refusal.parse(body);
  return new CliError(message, {
    code: 'VERIFICATION_FAILED',
    exit: exitCodes.conflict,
    hint: 'List all requests: orgchat mock requests list',
    details: nearMisses.map(
      ({ missed, differences, request: { id, operation, action, status } }) =>
        `closest: request ${id} (${[operation, action, status].filter((part) => part !== null).join(' ')}); differs in ${describeDifferences(missed, differences)}`,
    ),
    extra: { expected, count, complete, dropped, nearMisses },
  });
}
