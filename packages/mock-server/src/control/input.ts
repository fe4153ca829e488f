import { configurationResources, describeProblem } from '@orgchat/spec';
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

/** Whether a schema says itself what its values must be. */
const hasOwnWords = ({ code, message }: z.core.$ZodIssue): boolean =>
  code === 'custom' || (code === 'invalid_union' && message !== 'Invalid input');

/** What a value is under a schema; a `ControlError` 400 that says what is wrong, and where, if it is nothing. */
export function parseControl<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue === undefined || !hasOwnWords(issue)) throw invalid(describeProblem(parsed.error, value, 'en'));
  throw invalid(`${issue.path.map(String).join('.')} ${issue.message}.`);
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
