import { configurationResources } from '@orgchat/spec';
import * as z from 'zod';
import { memoize } from '../memoize.ts';
import { maxAdvanceMs, maxHistory, maxSandboxTtlMs } from '../mock-limits.ts';

/** `PATCH /organization`. */
export const organizationPatch = memoize(() =>
  z
    .strictObject({
      plan: z.string().optional().meta({ description: 'The name of a plan of the seed.' }),
      runtime: z.enum(['up', 'down']).optional(),
      studio: z.boolean().optional().meta({ description: 'Whether the organization has Studio.' }),
      deleted: z.boolean().optional().meta({ description: 'Whether the organization is deleted: 401.' }),
    })
    .meta({ id: 'OrganizationPatch', description: 'Omitted fields stay.' }),
);

/** `PATCH /keys/{key}`. */
export const keyPatch = memoize(() =>
  z
    .strictObject({
      scope: z.enum(['read', 'write']).optional(),
      revoked: z.boolean().optional(),
      suspended: z.boolean().optional().meta({ description: 'Whether the creator is suspended.' }),
      editor: z.boolean().optional().meta({ description: 'Whether the creator may edit.' }),
      accountIds: z
        .array(z.string())
        .nullable()
        .optional()
        .meta({ description: 'The accounts assigned to the creator; null for all.' }),
    })
    .meta({ id: 'KeyPatch', description: 'Omitted fields stay.' }),
);

/** The end of the year 9999, the last that a four-digit year can express. */
const lastMoment = 253_402_300_799_999;

/** `POST /clock`: moves the clock, then freezes or unfreezes it. */
export const clockMove = memoize(() =>
  z
    .strictObject({
      advanceMs: z
        .int()
        .min(0)
        .max(maxAdvanceMs)
        .optional()
        .meta({ description: 'Milliseconds to move the clock forward.' }),
      now: z
        .union(
          [z.int().min(0).max(lastMoment), z.string()],
          'must be milliseconds since 1970, or a date and time',
        )
        .optional()
        .meta({ description: 'Milliseconds since 1970, or a date and time.' }),
      frozen: z.boolean().optional().meta({ description: 'Whether the clock is frozen.' }),
    })
    .check((ctx) => {
      const { now } = ctx.value;
      if (typeof now === 'string' && Number.isNaN(Date.parse(now))) {
        ctx.issues.push({ code: 'custom', message: 'must be a date and time', path: ['now'], input: now });
      }
    })
    .meta({ id: 'ClockMove', description: 'Moves the clock, then freezes or unfreezes it.' }),
);

/** `POST /edit`. */
export const editInput = memoize(() =>
  z
    .strictObject({
      resource: z.enum([...configurationResources, 'friends', 'projects', 'documents']),
      id: z.string().meta({
        description: 'The id of the record; for a friend accountId/userId, or a userId that is unique.',
      }),
      data: z.record(z.string(), z.unknown()).meta({ description: 'The fields that change.' }),
    })
    .meta({ id: 'EditInput', description: 'An edit by a concurrent editor. Omitted fields stay.' }),
);

/**
 * A seed or a saved state, as the document describes it. What is in it is validated when it is loaded, by the schemas of
 * seeds and saved states, after names were replaced by ids.
 */
export const stateInput = memoize(() =>
  z.unknown().meta({
    id: 'StateInput',
    description:
      'A saved state, as GET /state answers it, or a seed: the format is in SEEDS.md of @orgchat/mock-server.',
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
const limits = memoize(() => {
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

const requestReference = memoize(() => ({
  requestId: z
    .union([z.int().min(1), z.string().min(1)], 'must be the id or the requestId of a request')
    .meta({ description: 'The id, a number, or the requestId of a request that changed something.' }),
}));

/** `POST /rewind`. */
export const rewindInput = memoize(() =>
  z.strictObject(requestReference()).meta({ id: 'RewindInput', description: 'The request to go back to.' }),
);

/** `PATCH /limits`. */
export const limitsPatch = memoize(() =>
  z.strictObject(limits()).meta({ id: 'LimitsPatch', description: 'Omitted fields stay.' }),
);

/** `POST /sandboxes`. */
export const sandboxInput = memoize(() =>
  z
    .strictObject({
      name: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .optional()
        .meta({ description: 'What to show in the list of sandboxes, such as the title of a test.' }),
      state: stateInput().optional().meta({ description: 'A saved state, or a seed.' }),
      seed: stateInput().optional().meta({ description: 'A seed instead of a state.' }),
      from: z
        .strictObject(requestReference())
        .optional()
        .meta({ id: 'BranchPoint', description: 'A request of this world: the state just before it.' }),
      ...limits(),
      ttlMs: z.int().min(1).max(maxSandboxTtlMs).optional().meta({
        description:
          'Drop the sandbox after this many milliseconds of real time without a request to its API or control API. Default: never.',
      }),
    })
    .check((ctx) => {
      const { state, seed, from } = ctx.value;
      const [first, second] = Object.entries({ state, seed, from }).filter(
        ([, value]) => value !== undefined,
      );
      if (first === undefined || second === undefined) return;
      ctx.issues.push({
        code: 'custom',
        message: `cannot be used together with ${first[0]}`,
        path: [second[0]],
        input: second[1],
      });
    })
    .meta({ id: 'SandboxInput', description: 'Default: the initial state and limits of the mock.' }),
);
