import { chatChange, operationNames, readableResources, studioReadInput } from '@orgchat/spec';
import * as z from 'zod';

const actions = chatChange.options.map((option) => option.shape.action.value);
const studioResources = studioReadInput.options.map((option) => option.shape.resource.value);

/** The fields that select requests: a fault skips the first `after` matching requests and hits the next `times`. */
const selection = {
  operation: z.enum(operationNames).optional(),
  action: z.enum(actions).optional(),
  resource: z.enum([...readableResources, ...studioResources]).optional(),
  key: z.string().min(1).optional(),
  after: z.int().min(0).default(0),
  times: z.int().min(1).default(1),
};

const day = 86_400_000;
const duration = z.int().min(0).max(day);

const effect = <E extends string, S extends z.ZodRawShape>(name: E, own: S) =>
  z.strictObject({ effect: z.literal(name), ...selection, ...own });

/** A fault to arm; whether it could ever hit is decided by `explainUnreachable`. */
export const faultInput = z.discriminatedUnion('effect', [
  effect('drop-request', {}),
  effect('lose-response', {}),
  effect('cut-response', {}),
  effect('delay', { delayMs: duration }),
  effect('respond', {
    /** 200 and 201 are reserved for requests that were applied. */
    status: z.int().min(202).max(599),
    /** The error code. Default: the usual code of the status. */
    error: z.string().min(1).optional(),
    /** The value of the `Retry-After` header. */
    retryAfter: z
      .union([z.string().regex(/^[\t\x20-\x7e]*$/), z.number()], 'must be a number or a valid header value')
      .optional(),
    undeclared: z.boolean().default(false),
  }),
  effect('uncertain', {
    answer: z.literal([500, 502]).optional(),
    applied: z.boolean().default(true),
    resolve: z
      .union(
        [
          z.literal('never'),
          z.strictObject({ afterRequests: z.int().min(0) }),
          z.strictObject({ afterMs: duration }),
        ],
        `must be "never", { "afterRequests": n } or { "afterMs": n }, with n of at least 0 and at most ${day} ms`,
      )
      .default('never'),
  }),
  effect('skip-audit', {}),
  effect('rival-edit', {}),
]);

export type Fault = z.output<typeof faultInput>;
export type Effect = Fault['effect'];
export type FaultOf<E extends Effect> = Extract<Fault, { effect: E }>;
