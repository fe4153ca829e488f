import { chatChange, operationNames, readableResources, studioReadInput } from '@orgchat/spec';
import * as z from 'zod';

const actions = chatChange.options.map((option) => option.shape.action.value);
const studioResources = studioReadInput.options.map((option) => option.shape.resource.value);

/** What every fault says of the requests it hits: those that fit all it names, past `after`, `times` times. */
const aimed = {
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
  z.strictObject({ effect: z.literal(name), ...aimed, ...own });

/** A fault to arm; whether it could ever hit is `futilityOf`'s to say. */
export const faultInput = z.discriminatedUnion('effect', [
  effect('drop-request', {}),
  effect('lose-response', {}),
  effect('cut-response', {}),
  effect('delay', { delayMs: duration }),
  effect('respond', {
    /** The successes of the contract, 200 and 201, are left to what was done. */
    status: z.int().min(202).max(599),
    /** The code; the usual one of the status where left out. */
    error: z.string().min(1).optional(),
    /** The text of the `Retry-After` header, as given. */
    retryAfter: z
      .union(
        [z.string().regex(/^[\t\x20-\x7e]*$/), z.number()],
        'must be a number, or text that a header can hold',
      )
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
        `must be "never", { "afterRequests": n } or { "afterMs": n }, n from 0, and no more than ${day} ms`,
      )
      .default('never'),
  }),
  effect('skip-audit', {}),
  effect('rival-edit', {}),
]);

export type Fault = z.output<typeof faultInput>;
export type Effect = Fault['effect'];
export type FaultOf<E extends Effect> = Extract<Fault, { effect: E }>;
