import type * as z from 'zod';
import { invalid } from './control-error.ts';
import { describeIssues } from './describe-issues.ts';

/** Parses a value by a schema; throws a `ControlError` 400 that lists every problem with its path. */
export function parseControl<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(describeIssues(parsed.error, schema, value).text);
}
