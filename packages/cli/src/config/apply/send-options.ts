import type { Plan, Step } from '../plan/plan-schema.ts';

/** How the steps of a plan are sent. */
export interface SendOptions {
  readonly organizationId: string;
  /**
   * What to do if the result of a step already exists, or existed and is gone. `repeat`: the organization must match
   * the file. A missing record is created again, and an equal change by someone else counts as applied. `exact`:
   * apply only the plan, once.
   */
  readonly policy: 'repeat' | 'exact';
  /** Whether a record was there when the plan was made. */
  readonly isKnown: (id: string) => boolean;
  /** Whether an operation of an earlier apply was given up. */
  readonly isGivenUp: (operationId: string) => boolean;
  /**
   * Whether the last read of the organization, after the plan was made, found record `id` with the label of the step.
   * False if nothing was read since.
   */
  readonly hasLabelNow: (step: Step, id: string) => boolean;
}

export function createSendOptions(
  plan: Plan,
  policy: SendOptions['policy'],
  hasLabelNow: SendOptions['hasLabelNow'],
): SendOptions {
  const knownLabels = collectKnownLabels(plan);
  const givenUp = new Set(plan.givenUp);
  return {
    organizationId: plan.organizationId,
    policy,
    isKnown: (id) => knownLabels.has(id),
    isGivenUp: (operationId) => givenUp.has(operationId),
    hasLabelNow,
  };
}

/** The records known to the plan by id, with their label; undefined if the plan may change it. */
export function collectKnownLabels({
  steps,
  unchanged,
  unmanaged,
}: Plan): ReadonlyMap<string, string | undefined> {
  return new Map([
    ...[...unchanged, ...unmanaged].map(({ id, label }) => [id, label] as const),
    ...steps.flatMap(({ id }) => (id === undefined ? [] : [[id, undefined] as const])),
  ]);
}
