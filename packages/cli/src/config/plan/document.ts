import { configurationResources } from '@orgchat/spec';
import * as z from 'zod';
import { invalidInput } from '../../failure.ts';
import { mapReferences } from '../file/references.ts';
import { fieldChange, origin } from './compare.ts';
import { pendingKey } from './pending.ts';

const resource = z.enum(configurationResources);
const data = z.record(z.string(), z.unknown());

const step = z.object({
  /** Names the step; what it makes is referred to as `step:KEY`. */
  key: z.string(),
  /**
   * Of an update or a deletion it is made with the plan. Of a create it follows from what is sent; it is not there as
   * long as the step refers to what an earlier step makes.
   */
  operationId: z.string().optional(),
  action: z.enum(['create', 'update', 'delete']),
  resource,
  label: z.string(),
  /** An id, or `step:KEY` for what an earlier step makes. */
  id: z.string().optional(),
  /** A record that was made once and is gone from the organization: the id it had. */
  formerId: z.string().optional(),
  expectedRevision: z.string().optional(),
  expectedLabel: z.string().optional(),
  data: data.optional(),
  origin,
  fields: z.array(fieldChange),
});
export type Step = z.output<typeof step>;

const record = z.object({ resource, id: z.string(), label: z.string() });

/** What a saved plan says it is. */
export const planFormat = 'orgchat-plan';

export const planShape = z.object({
  format: z.literal(planFormat),
  version: z.literal(2),
  baseUrl: z.string(),
  organizationId: z.string(),
  /** The whole path; null for standard input. */
  file: z.string().nullable(),
  createdAt: z.string(),
  /** The stamp of what was known of the file and the organization; null where nothing was. */
  base: z.string().nullable(),
  /** What the file speaks of. */
  resources: z.array(resource),
  steps: z.array(step),
  /** What file and organization say alike. */
  unchanged: z.array(record.extend({ data })),
  /** In the organization and not in the file, and left alone. */
  others: z.array(record.extend({ origin })),
  /** Both had it once, and neither has it now. */
  gone: z.array(record.pick({ resource: true, id: true })),
  /** Operation ids of an earlier apply whose outcome stays unknown, and that nobody waits for any more. */
  givenUp: z.array(z.string()).optional(),
  /** Of a saved plan: the SHA-256 of everything else. */
  digest: z.string().optional(),
  /** What someone should look at before it is applied. */
  warnings: z.array(z.string()),
});
export type Plan = z.output<typeof planShape>;

/** The steps that must be over before this one: those that make what it refers to. */
export function needsOf({ resource: of, data: wanted, id }: Step): string[] {
  const keys = new Set<string>();
  const note = (value: string): string => {
    const key = pendingKey(value);
    if (key !== undefined) keys.add(key);
    return value;
  };
  if (id !== undefined) note(id);
  if (wanted !== undefined) mapReferences(of, wanted, (_target, value) => note(value));
  return [...keys];
}

/** A saved plan, or undefined where the text is something else. */
export function planIn(text: string, name: string): Plan | undefined {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return undefined;
  }
  if ((document as { format?: unknown } | null)?.format !== planFormat) return undefined;
  const read = planShape.safeParse(document);
  if (read.success) return read.data;
  throw invalidInput(
    `${name} is a plan of another version, or was changed by hand.`,
    'Make it anew: orgchat config plan FILE -o PLAN',
  );
}
