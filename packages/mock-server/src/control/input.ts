import { configurationResources, describeIssue, formatPath } from '@orgchat/spec';
import * as z from 'zod';
import { memoize } from '../memoize.ts';
import { maxHistory, maxSandboxTtlMs } from '../mock-limits.ts';
import { listAcceptedFields } from './accepted-fields.ts';

/** Thrown for an invalid control call, with what is wrong and where. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;
  readonly code: string;
  /** Further fields of the answer beside code and message. */
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, extra: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.extra = extra;
  }
}

/** Creates a 404 that names what was not found. */
export const notFound = (missing: string, advice?: string): ControlError =>
  new ControlError(404, 'NOT_FOUND', [`There is no ${missing}.`, advice].filter(Boolean).join(' '));

export const invalid = (message: string): ControlError => new ControlError(400, 'INVALID_INPUT', message);

/** Maximum number of problems in one message; the rest is only counted. */
const maxProblems = 10;

/** Whether the schema has its own message for the issue. */
const hasOwnMessage = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'custom' ||
  (issue.code === 'invalid_union' && !('discriminator' in issue) && issue.message !== 'Invalid input');

/** Sorts unknown fields first: a misspelled field is the likely cause of a missing one. */
const byCause = (one: z.core.$ZodIssue, other: z.core.$ZodIssue): number =>
  Number(other.code === 'unrecognized_keys') - Number(one.code === 'unrecognized_keys');

function describeControlIssue(issue: z.core.$ZodIssue, schema: z.ZodType, value: unknown): string {
  if (hasOwnMessage(issue)) return `${formatPath(issue.path)} ${issue.message}.`;
  if (isMissingChoice(issue, value)) {
    return `${formatPath(issue.path)} is required. It must be one of ${issue.options.map(String).join(', ')}.`;
  }
  const problem = describeIssue(issue, value, 'en');
  if (issue.code !== 'unrecognized_keys') return problem;
  const accepted = listAcceptedFields(schema, value, issue.path);
  return accepted === undefined ? problem : `${problem} It accepts ${accepted.join(', ')}.`;
}

type Choice = z.core.$ZodIssueInvalidUnion & { readonly options: readonly unknown[] };

/** Whether the field that selects the variant of the body is missing. */
const isMissingChoice = (issue: z.core.$ZodIssue, value: unknown): issue is Choice =>
  issue.code === 'invalid_union' &&
  'options' in issue &&
  Array.isArray(issue.options) &&
  issue.path.length === 1 &&
  !Object.hasOwn(Object(value), issue.path[0] ?? '');

/** Parses a value by a schema; throws a `ControlError` 400 that lists every problem with its path. */
export function parseControl<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.toSorted(byCause);
  const problems = issues.slice(0, maxProblems).map((issue) => describeControlIssue(issue, schema, value));
  const rest = issues.length - maxProblems;
  throw invalid([...problems, ...(rest > 0 ? [`${rest} more problems.`] : [])].join(' '));
}

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

const year = 365 * 86_400_000;
/** The end of the year 9999, the last that a four-digit year can express. */
const lastMoment = 253_402_300_799_999;

/** `POST /clock`: moves the clock, then freezes or unfreezes it. */
export const clockMove = memoize(() =>
  z
    .strictObject({
      advanceMs: z
        .int()
        .min(0)
        .max(1000 * year)
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
