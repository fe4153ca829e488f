import type { Trace } from './trace.ts';

/** A refusal as a list of sandboxes has it. */
export interface SandboxRefusal {
  readonly error: string | null;
  readonly because: string;
  /** The first problem of a body; absent for other reasons. */
  readonly problem?: { readonly path: string; readonly sent?: string; readonly didYouMean?: string };
}

/** What a list of sandboxes says about a refused request. */
export function describeRefusal(trace: Trace): SandboxRefusal {
  const { because, problems: [first] = [] } = trace.toEntry().decidedBy;
  const error = trace.error ?? null;
  if (first === undefined) return { error, because };
  const { path, sent, didYouMean } = first;
  return {
    error,
    because,
    problem: { path, ...(sent !== undefined && { sent }), ...(didYouMean !== undefined && { didYouMean }) },
  };
}
