import { pascalCase } from '@orgchat/spec';
import * as z from 'zod';
import { changeAction, operationName, requestResource } from '../input-checks/request-criteria.ts';
import { memoize } from '../memoize.ts';

/** A fault to arm; whether it could ever hit is decided by `explainUnreachable`. */
export const faultInput = memoize(() => {
  /**
   * The fields that select requests: a fault skips the first `after` matching requests and hits the next `times`, each with
   * the given probability.
   */
  const selection = {
    operation: operationName().optional(),
    action: changeAction().optional(),
    resource: requestResource().optional(),
    key: z.string().min(1).optional().meta({ description: 'The key that requests are sent with.' }),
    after: z.int().min(0).default(0).meta({ description: 'Number of matching requests to skip first.' }),
    times: z
      .union([z.int().min(1), z.literal('always')], 'must be "always" or a whole number, 1 or greater')
      .default(1)
      .meta({ description: 'How many requests it then hits.' }),
    probability: z
      .number()
      .refine((value) => value > 0 && value <= 1, 'must be more than 0 and at most 1')
      .default(1)
      .meta({
        description:
          'Drawn from the random seed of the mock, so that the same requests are hit in every run.',
        exclusiveMinimum: 0,
        maximum: 1,
      }),
  };

  const day = 86_400_000;
  const duration = z.int().min(0).max(day);

  /** A delay, or a range of which each hit draws one. */
  const delay = z.union(
    [
      duration,
      z
        .strictObject({ min: duration, max: duration })
        .refine(({ min, max }) => min <= max, 'must have a min that is not larger than its max'),
    ],
    {
      error: ({ input }) =>
        input === undefined
          ? 'is required'
          : `must be a number of milliseconds, or { "min": n, "max": n } with min not larger than max; n is at most ${day}`,
    },
  );

  const effect = <E extends string, S extends z.ZodRawShape>(name: E, description: string, own: S) =>
    z
      .strictObject({ effect: z.literal(name), ...selection, ...own })
      .meta({ id: `${pascalCase(name)}Fault`, description });

  return z
    .discriminatedUnion('effect', [
      effect('drop-request', 'The connection is reset before the request is read. Nothing is applied.', {}),
      effect('lose-response', 'The request is applied. Then the connection is reset.', {}),
      effect('cut-response', 'The request is applied. Only half of the response arrives.', {}),
      effect('fail-response', 'The request is applied. Then the mock answers with this error status.', {
        status: z.int().min(400).max(599),
        error: z.string().min(1).optional(),
        undeclared: z.boolean().default(false),
      }),
      effect('delay', 'The response is late.', {
        delayMs: delay,
        /** Whether a change is applied on arrival, so that only its answer is late. */
        applied: z.boolean().default(false),
      }),
      effect('respond', 'The mock answers with this status and does nothing.', {
        /** 200 and 201 are reserved for requests that were applied. */
        status: z.int().min(202).max(599),
        /** The error code. Default: the usual code of the status. */
        error: z.string().min(1).optional(),
        /** The value of the `Retry-After` header. */
        retryAfter: z
          .union(
            [z.string().regex(/^[\t\x20-\x7e]*$/), z.number()],
            'must be a number or a valid header value',
          )
          .optional(),
        undeclared: z.boolean().default(false),
      }),
      effect('uncertain', 'The outcome of a change is unknown, also to the server, until it is resolved.', {
        answer: z.literal([500, 502]).optional(),
        applied: z.boolean().default(true),
        resolve: z
          .union(
            [
              z.literal('never'),
              z.strictObject({ afterRequests: z.int().min(0) }),
              z.strictObject({ afterMs: duration }),
            ],
            `must be "never", { "afterRequests": n } or { "afterMs": n }, with n 0 or greater and at most ${day} ms`,
          )
          .default('never'),
      }),
      effect('not-applied', 'A change is answered 200 with `applied: false`. Nothing is applied.', {}),
      effect('skip-audit', 'The change is applied, and the audit log does not have it.', {}),
      effect(
        'rival-edit',
        'Somebody else changes or deletes the record first, so the change is refused with 409 or 404.',
        {
          data: z.record(z.string(), z.unknown()).optional().meta({
            description: 'The fields that the other one changes. Default: none, only the revision changes.',
          }),
          delete: z.boolean().optional().meta({
            description: 'Whether the other one deletes the record instead, so that the answer is 404.',
          }),
        },
      ),
    ])
    .meta({ id: 'FaultInput', description: 'A fault, selected by its effect.' });
});

export type Fault = z.output<ReturnType<typeof faultInput>>;
export type Effect = Fault['effect'];
export type FaultOf<E extends Effect> = Extract<Fault, { effect: E }>;
