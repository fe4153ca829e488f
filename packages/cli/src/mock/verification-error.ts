import * as z from 'zod';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';

const refusal = z.looseObject({
  message: z.string(),
  expected: z.number(),
  count: z.number(),
  complete: z.boolean(),
  dropped: z.looseObject({ entries: z.number() }),
  nearMisses: z.array(
    z.looseObject({
      missed: z.array(z.string()),
      request: z.looseObject({
        id: z.number(),
        operation: z.string().nullable(),
        action: z.string().nullable(),
        status: z.number().nullable(),
      }),
    }),
  ),
});

/** The error of a failed verification, with the requests that match best. */
export function verificationError(body: unknown): CliError {
  const { message, expected, count, complete, dropped, nearMisses } = refusal.parse(body);
  return new CliError(message, {
    code: 'VERIFICATION_FAILED',
    exit: exitCodes.conflict,
    hint: 'List all requests: orgchat mock requests list',
    details: nearMisses.map(
      ({ missed, request: { id, operation, action, status } }) =>
        `closest: request ${id} (${[operation, action, status].filter((part) => part !== null).join(' ')}); differs in ${missed.join(', ')}`,
    ),
    extra: { expected, count, complete, dropped, nearMisses },
  });
}
