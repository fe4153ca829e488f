import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { getDataLabel } from '@orgchat/sdk/internal';
import { isObject } from '@orgchat/spec/is-object';
import { singularNames } from '@orgchat/spec/resources/names';
import { CliError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import type { Data } from '../../resources/fields.ts';
import type { Organization, RemoteRecord } from '../organization.ts';
import { compare, createFieldChanges, type FieldChange } from './compare-data.ts';
import { type Plan, type Step, toStepReference } from './plan-schema.ts';

/*
 * A saved plan is shown by its labels and fields, and sent by its data and ids. Both must match, so that what is
 * approved is what is sent. The digest detects edits. Because anyone can compute a new digest, labels and fields are
 * also checked against the data.
 */

function computeDigest({ digest: _, ...plan }: Plan): string {
  // Sorted, because a plan that is read has its fields in the order of its schema.
  const text = JSON.stringify(plan, (_key, value: unknown) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(text).digest('hex');
}

/** Adds the digest to a plan that is saved. */
export const withDigest = (plan: Plan): Plan => ({ ...plan, digest: computeDigest(plan) });

/** Ends the command if a plan was edited after it was saved. `name` is the name of its file. */
export function verifyDigest(plan: Plan, name: string): void {
  if (plan.digest !== computeDigest(plan))
    throw planEditedError(name, 'its content does not match its digest');
}

/** Throws if a plan shows other changes than it sends. */
export function verifyShownChanges(plan: Plan, { records }: Organization): void {
  const steps = new Map(plan.steps.map((step) => [step.key, step]));
  for (const step of plan.steps) {
    const remote = records[step.resource].find(({ id }) => id === step.id);
    const problem = findMismatch(step, remote, steps);
    if (problem !== undefined)
      throw planEditedError(
        'The plan',
        `${singularNames[step.resource]} "${step.label}" (step ${step.key}): ${problem}`,
      );
  }
}

function findMismatch(
  step: Step,
  remote: RemoteRecord | undefined,
  steps: ReadonlyMap<string, Step>,
): string | undefined {
  const { action, resource, label, data, fields } = step;
  if (action === 'delete') {
    // The server refuses to delete a record with another label or revision.
    return remote !== undefined && remote.label !== label
      ? 'its label differs from the record it deletes'
      : undefined;
  }
  if (data === undefined) return 'it has no data';
  if (getDataLabel(resource, data) !== label) return 'its label differs from its data';
  if (action === 'create')
    return showsSameChanges(
      fields,
      createFieldChanges(data, 'file', (value) => ({ from: null, to: value })),
    )
      ? undefined
      : 'its fields differ from its data';
  if (step.followsUp !== undefined && step.id !== toStepReference(step.followsUp))
    return `it completes step ${step.followsUp} but changes another record`;
  const before = step.followsUp === undefined ? dataBefore(step, remote) : steps.get(step.followsUp)?.data;
  // A record that is gone or was changed since: the server refuses the step.
  if (before === undefined) return undefined;
  return showsSameChanges(fields, findSentChanges(step, before, data))
    ? undefined
    : 'its fields differ from what its data changes';
}

/** What data change. A value that they leave out is left to the server or removed: the plan shows which. */
function findSentChanges({ resource, fields }: Step, before: Data, data: Data): FieldChange[] {
  const paths = new Set([...fields, ...compare(resource, before, data, undefined)].map(({ path }) => path));
  return compare(resource, before, data, before).filter(({ path }) => paths.has(path));
}

const dataBefore = (
  { expectedRevision }: Step,
  remote: RemoteRecord | undefined,
): RemoteRecord['data'] | undefined => (remote?.revision === expectedRevision ? remote?.data : undefined);

/** Whether the same changes are shown; their origin cannot be computed again. */
function showsSameChanges(shown: readonly FieldChange[], sent: readonly FieldChange[]): boolean {
  const changes = (fields: readonly FieldChange[]): unknown =>
    JSON.parse(JSON.stringify(fields.map(({ path, from, to }) => [path, from, to])));
  return isDeepStrictEqual(changes(shown), changes(sent));
}

function planEditedError(name: string, why: string): CliError {
  return new CliError(`${name} was edited after it was created: ${why}. Nothing was applied.`, {
    code: 'PLAN_EDITED',
    exit: exitCodes.usage,
    hint: 'Edit the configuration instead and plan again: orgchat config plan FILE -o PLAN',
  });
}
