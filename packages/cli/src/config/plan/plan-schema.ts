import { configurationResources } from '@orgchat/spec';
import * as z from 'zod';
import { invalidInputError } from '../../errors/cli-error.ts';
import { mapReferences } from '../file/references.ts';
import { fieldChange, origin } from './compare-data.ts';

const resource = z.enum(configurationResources);
const data = z.record(z.string(), z.unknown());

const record = z.object({ resource, id: z.string(), label: z.string() });

const step = z.object({
  /** Names the step; what it makes is referred to as `step:KEY`. */
  key: z.string(),
  /** The key of the create that this update completes; see `breakCycles`. */
  followsUp: z.string().optional(),
  /**
   * The operation id of an update or deletion is created with the plan. The id of a create is derived from its data;
   * it is missing while the step refers to a record of an earlier step.
   */
  operationId: z.string().optional(),
  action: z.enum(['create', 'update', 'delete']),
  resource,
  label: z.string(),
  /** An id, or `step:KEY` for what an earlier step makes. */
  id: z.string().optional(),
  /** The former id of a record that was deleted in the organization and is created again. */
  formerId: z.string().optional(),
  expectedRevision: z.string().optional(),
  expectedLabel: z.string().optional(),
  data: data.optional(),
  origin,
  fields: z.array(fieldChange),
  /** Of a deletion: the records that still refer to it after the plan. */
  usedBy: z.array(record).optional(),
});
export type Step = z.output<typeof step>;

/** The format of a saved plan. */
export const planFormat = 'orgchat-plan';

export const planSchema = z.object({
  format: z.literal(planFormat),
  version: z.literal(2),
  baseUrl: z.string(),
  organizationId: z.string(),
  /** The absolute path; null for standard input. */
  file: z.string().nullable(),
  createdAt: z.string(),
  /** The stamp of the base; null if there was none. */
  base: z.string().nullable(),
  /** The resources that the file contains. */
  resources: z.array(resource),
  /** The records that the plan is limited to, such as `tags/VIP`. Undefined: all of the file. */
  only: z.array(z.string()).optional(),
  steps: z.array(step),
  /** Records that are equal in file and organization. */
  unchanged: z.array(record.extend({ data })),
  /** Records that are only in the organization. The plan does not change them. */
  unmanaged: z.array(record.extend({ origin })),
  /** With `only`: the other records of the organization, which are not compared. */
  others: z.array(record).optional(),
  /** Records of the base that neither side has any more. */
  gone: z.array(record.pick({ resource: true, id: true })),
  /** Operation ids of an earlier apply with an unknown outcome, given up with --replan. */
  givenUp: z.array(z.string()).optional(),
  /** Of a saved plan: the SHA-256 of everything else. */
  digest: z.string().optional(),
  /** Warnings to read before the plan is applied. */
  warnings: z.array(z.string()),
});
export type Plan = z.output<typeof planSchema>;

/** A reference to the record that a step will create, in place of its id. */
export const toStepReference = (key: string): string => `step:${key}`;

/** The step that makes it; undefined for anything else. */
export const parseStepReference = (value: string): string | undefined =>
  value.startsWith('step:') ? value.slice('step:'.length) : undefined;

/** Keys of the steps that must be done first, because they create the records that this step refers to. */
export function findRequiredSteps({ resource: of, data: wanted, id }: Step): string[] {
  const keys = new Set<string>();
  const note = (value: string): string => {
    const key = parseStepReference(value);
    if (key !== undefined) keys.add(key);
    return value;
  };
  if (id !== undefined) note(id);
  if (wanted !== undefined) mapReferences(of, wanted, (_target, value) => note(value));
  return [...keys];
}

/** Parses a saved plan; undefined if the text is not a plan. */
export function parsePlan(text: string, name: string): Plan | undefined {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return undefined;
  }
  if ((document as { format?: unknown } | null)?.format !== planFormat) return undefined;
  const read = planSchema.safeParse(document);
  if (read.success) return read.data;
  throw invalidInputError(
    `${name} was written by another version or edited by hand.`,
    'Create it again: orgchat config plan FILE -o PLAN',
  );
}
