import { configurationResources } from '@orgchat/spec';
import * as z from 'zod';
import { mapReferences } from './references.ts';
import { pendingKey } from './resolve.ts';

const data = z.record(z.string(), z.unknown());

export const step = z.object({
  /** Names the step; what it makes is referred to as `step:KEY`. */
  key: z.string(),
  /** Made with the plan, so that applying it again is the same operation. */
  operationId: z.string(),
  action: z.enum(['create', 'update', 'delete']),
  resource: z.enum(configurationResources),
  label: z.string(),
  /** An id, or `step:KEY` for what an earlier step makes. */
  id: z.string().optional(),
  expectedRevision: z.string().optional(),
  expectedLabel: z.string().optional(),
  data: data.optional(),
  fields: z
    .array(
      z.object({
        path: z.string(),
        from: z.unknown(),
        to: z.unknown(),
        origin: z.enum(['file', 'drift', 'both', 'unknown']),
      }),
    )
    .default([]),
});
export type Step = z.output<typeof step>;

/** The steps that must be over before this one: those that make what it refers to. */
export function needsOf({ resource, data: wanted, id }: Step): string[] {
  const keys = new Set<string>();
  const note = (value: string): string => {
    const key = pendingKey(value);
    if (key !== undefined) keys.add(key);
    return value;
  };
  if (id !== undefined) note(id);
  if (wanted !== undefined) mapReferences(resource, wanted, (_target, value) => note(value));
  return [...keys];
}
