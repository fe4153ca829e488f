import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { exitCodes } from '../../exit-codes.ts';
import { Failure } from '../../failure.ts';
import { labelOfData } from '../file/shape.ts';
import type { Held, Organization } from '../organization.ts';
import { compare, type FieldChange, fieldsOf } from './compare.ts';
import { isSecondStep } from './cycles.ts';
import type { Plan, Step } from './document.ts';

/*
 * A saved plan is shown by its labels and fields, and sent by its data and ids. Both have to be the same: what somebody
 * approves is what is sent. The digest tells that a plan was edited; since anybody can make a new digest, labels and
 * fields are computed again, too.
 */

function digestOf({ digest: _, ...plan }: Plan): string {
  // In one order: a plan that is read has its fields in the order of its schema.
  const text = JSON.stringify(plan, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(text).digest('hex');
}

/** A plan to be saved. */
export const sealed = (plan: Plan): Plan => ({ ...plan, digest: digestOf(plan) });

/** Ends the command if a plan is not as it was saved. `name` is that of its file. */
export function checkSeal(plan: Plan, name: string): void {
  if (plan.digest !== digestOf(plan)) throw edited(name, 'its content does not match its digest');
}

/** Ends the command if a plan shows something else than it sends. */
export function checkShown(plan: Plan, { records }: Organization): void {
  const steps = new Map(plan.steps.map((step) => [step.key, step]));
  for (const step of plan.steps) {
    const held = records[step.resource].find(({ id }) => id === step.id);
    const problem = problemOf(step, held, steps);
    if (problem !== undefined)
      throw edited('The plan', `${step.resource} "${step.label}" (step ${step.key}): ${problem}`);
  }
}

function problemOf(step: Step, held: Held | undefined, steps: ReadonlyMap<string, Step>): string | undefined {
  const { action, resource, label, data, fields } = step;
  if (action === 'delete') {
    // The server refuses to delete a record with another label or revision.
    return held !== undefined && held.label !== label
      ? 'its label is not that of the record it deletes'
      : undefined;
  }
  if (data === undefined) return 'it has no data';
  if (labelOfData(resource, data) !== label) return 'its label is not the one in its data';
  if (action === 'create')
    return areShown(
      fields,
      fieldsOf(data, 'file', (value) => ({ from: null, to: value })),
    )
      ? undefined
      : 'its fields are not those of its data';
  const before = isSecondStep(step)
    ? steps.get(step.key.replace(/-again$/, ''))?.data
    : dataBefore(step, held);
  // A record that is gone or was changed since: the server refuses the step.
  if (before === undefined) return undefined;
  return areShown(fields, compare(before, data, undefined))
    ? undefined
    : 'its fields are not what its data changes';
}

const dataBefore = ({ expectedRevision }: Step, held: Held | undefined): Held['data'] | undefined =>
  held?.revision === expectedRevision ? held?.data : undefined;

/** Whether the same changes are shown; who made them cannot be computed again. */
function areShown(shown: readonly FieldChange[], sent: readonly FieldChange[]): boolean {
  const changes = (fields: readonly FieldChange[]): unknown =>
    JSON.parse(JSON.stringify(fields.map(({ path, from, to }) => [path, from, to])));
  return isDeepStrictEqual(changes(shown), changes(sent));
}

function edited(name: string, why: string): Failure {
  return new Failure(`${name} was changed after it was made: ${why}. Nothing was applied.`, {
    code: 'PLAN_EDITED',
    exit: exitCodes.usage,
    hint: 'Change the configuration instead, and plan again: orgchat config plan FILE -o PLAN',
  });
}
