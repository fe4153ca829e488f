import { configurationResources, describeIssue, placeOf } from '@orgchat/spec';
import * as z from 'zod';

/** A control call that is refused, with what is wrong and where. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;
  readonly code: string;
  /** What the answer says beside code and message. */
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, extra: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.extra = extra;
  }
}

export const notFound = (what: string): ControlError =>
  new ControlError(404, 'NOT_FOUND', `There is no ${what}.`);

export const invalid = (message: string): ControlError => new ControlError(400, 'INVALID_INPUT', message);

/** Problems that one message tells; more than these are only counted. */
const maxProblems = 10;

/** Whether a schema says itself what its values must be. */
const hasOwnMessage = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'custom' ||
  (issue.code === 'invalid_union' && !('discriminator' in issue) && issue.message !== 'Invalid input');

/** A misspelt field is the likely cause of a missing one, so unknown fields come first. */
const byCause = (one: z.core.$ZodIssue, other: z.core.$ZodIssue): number =>
  Number(other.code === 'unrecognized_keys') - Number(one.code === 'unrecognized_keys');

function describeControlIssue(issue: z.core.$ZodIssue, value: unknown): string {
  if (hasOwnMessage(issue)) return `${placeOf(issue.path)} ${issue.message}.`;
  if (isMissingChoice(issue, value)) {
    return `${placeOf(issue.path)} is required. It must be one of ${issue.options.map(String).join(', ')}.`;
  }
  return describeIssue(issue, value, 'en');
}

type Choice = z.core.$ZodIssueInvalidUnion & { readonly options: readonly unknown[] };

/** Whether the field is absent by which the shape of the body is chosen. */
const isMissingChoice = (issue: z.core.$ZodIssue, value: unknown): issue is Choice =>
  issue.code === 'invalid_union' &&
  'options' in issue &&
  Array.isArray(issue.options) &&
  issue.path.length === 1 &&
  !Object.hasOwn(Object(value), issue.path[0] ?? '');

/** What a value is under a schema; throws a `ControlError` 400 that tells every problem, each with its place. */
export function parseControl<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.toSorted(byCause);
  const problems = issues.slice(0, maxProblems).map((issue) => describeControlIssue(issue, value));
  const rest = issues.length - maxProblems;
  throw invalid([...problems, ...(rest > 0 ? [`${rest} more problems.`] : [])].join(' '));
}

/** `PATCH /organization`. */
export const organizationPatch = z.strictObject({
  plan: z.string().optional(),
  runtime: z.enum(['up', 'down']).optional(),
  studio: z.boolean().optional(),
  deleted: z.boolean().optional(),
});

/** `PATCH /keys/{key}`. */
export const keyPatch = z.strictObject({
  scope: z.enum(['read', 'write']).optional(),
  revoked: z.boolean().optional(),
  suspended: z.boolean().optional(),
  editor: z.boolean().optional(),
  /** The accounts assigned to the creator; null for all. */
  accountIds: z.array(z.string()).nullable().optional(),
});

const year = 365 * 86_400_000;
/** The last moment of the year 9999: what a date of four digits can say. */
const lastMoment = 253_402_300_799_999;

/** `POST /clock`: moves first, then stops or starts. */
export const clockMove = z
  .strictObject({
    advanceMs: z
      .int()
      .min(0)
      .max(1000 * year)
      .optional(),
    /** Milliseconds since 1970, or a date and time. */
    now: z
      .union(
        [z.int().min(0).max(lastMoment), z.string()],
        'must be milliseconds since 1970, or a date and time',
      )
      .optional(),
    frozen: z.boolean().optional(),
  })
  .check((ctx) => {
    const { now } = ctx.value;
    if (typeof now === 'string' && Number.isNaN(Date.parse(now))) {
      ctx.issues.push({ code: 'custom', message: 'must be a date and time', path: ['now'], input: now });
    }
  });

/** `POST /edit`. `id` is the record's, or `accountId/userId` or `userId` of a friend. */
export const editInput = z.strictObject({
  resource: z.enum([...configurationResources, 'friends', 'projects', 'documents']),
  id: z.string(),
  data: z.record(z.string(), z.unknown()),
});

/** `POST /sandboxes`. */
export const sandboxInput = z.strictObject({ state: z.unknown().optional() });
