import * as z from 'zod';
import { memoize } from '../memoize.ts';
import { maxHistory } from '../mock-limits.ts';

/* What several calls accept. */

/**
 * A seed or a saved state, as the document describes it. What is in it is validated when it is loaded, by the schemas of
 * seeds and saved states, after names were replaced by ids.
 */
export const stateInput = memoize(() =>
  z.unknown().meta({
    id: 'StateInput',
    description:
      'A saved state, as GET /state answers it, or a seed: the format is in docs/seeds.md of @orgchat/mock-server.',
    override: {
      type: 'object',
      required: ['organizations'],
      properties: {
        format: { type: 'string', enum: ['orgchat-seed', 'orgchat-state'] },
        organizations: { type: 'array', minItems: 1, items: { type: 'object', additionalProperties: true } },
      },
      additionalProperties: true,
    },
  }),
);

/** Requests per minute per key and per month, `off` for no limit, and the size of the history. */
export const limitFields = memoize(() => {
  const count = z.int().min(0);
  return {
    rateLimit: z
      .union([count, z.literal('off')], 'must be "off" or a whole number, 0 or greater')
      .optional()
      .meta({ description: 'Requests per minute per key.' }),
    monthlyLimit: z
      .union([count, z.enum(['off', 'plan'])], 'must be "off", "plan" or a whole number, 0 or greater')
      .optional()
      .meta({ description: "Requests per month; plan is the number of the organization's plan." }),
    history: z.int().min(0).max(maxHistory).optional().meta({
      description:
        'Number of recent changes that can be undone: the mock keeps the state before each of them. 0 turns history off.',
    }),
  };
});

/** A request whose state was kept. */
export const requestReference = memoize(() => ({
  requestId: z
    .union([z.int().min(1), z.string().min(1)], 'must be the id or the requestId of a request')
    .meta({ description: 'The id, a number, or the requestId of a request that changed something.' }),
}));

/** The fields of a patch that were given. */
export const omitUndefined = <T extends object>(patch: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
