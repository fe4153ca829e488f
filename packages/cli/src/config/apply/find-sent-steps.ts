import { isDeepStrictEqual } from 'node:util';
import type { OperationEntry, OrgChatClient } from '@orgchat/sdk';
import { type CreateOnceInput, createOperationId } from '@orgchat/sdk/create-once';
import type { Data } from '../../resources/data-fields.ts';
import { mapReferences } from '../file/references.ts';
import type { Plan, Step } from '../plan/plan-schema.ts';
import { parseStepReference } from '../plan/step-reference.ts';

/**
 * Finds the steps of a plan that are in the journal of this machine and were not rejected. A create is matched by its
 * data, because its operation id is only known once all its references exist. An equal record that was created by
 * other means has another operation id and does not match.
 */
export async function findSentSteps(client: OrgChatClient, { steps, organizationId }: Plan): Promise<Step[]> {
  const idOf = ({ resource, label }: Step, data: Data): Promise<string> =>
    createOperationId({ organizationId, resource, label, data } as unknown as CreateOnceInput, 0);
  // All entries are read only if the id of a step is not known: there may be very many.
  const entries = steps.some(hasOpenReference) ? (await client.operations.list()).filter(wasNotRefused) : [];
  const ids = new Set(entries.map(({ operationId }) => operationId));
  const wasSent = async (step: Step): Promise<boolean> => {
    if (!hasOpenReference(step)) {
      const id = step.action === 'create' ? await idOf(step, step.data ?? {}) : step.operationId;
      const entry = id === undefined ? undefined : await client.operations.get(id);
      return entry !== undefined && wasNotRefused(entry);
    }
    for (const data of entries.flatMap((entry) => getCreatedData(entry, step)))
      if (ids.has(await idOf(step, data))) return true;
    return false;
  };
  const sent = await Promise.all(steps.map(wasSent));
  return steps.filter((_step, index) => sent[index]);
}

const wasNotRefused = ({ state }: OperationEntry): boolean => state !== 'refused' && state !== 'abandoned';

/** Whether a create refers to a record that does not exist yet, so that its data and operation id are not known. */
function hasOpenReference({ action, resource, data = {} }: Step): boolean {
  let isOpen = false;
  mapReferences(resource, data, (_target, value) => {
    isOpen ||= parseStepReference(value) !== undefined;
    return value;
  });
  return action === 'create' && isOpen;
}

/** The data that an entry creates a record of the step from, if it does. */
function getCreatedData({ change }: OperationEntry, { resource, data = {} }: Step): Data[] {
  if (change?.action !== `create-${resource}` || !('data' in change)) return [];
  const sent = { ...change.data };
  const isEqual = isDeepStrictEqual(
    withoutOpenReferences(resource, data, data),
    withoutOpenReferences(resource, sent, data),
  );
  return isEqual ? [sent] : [];
}

/** Data in which every reference that `planned` still has open is replaced by the same mark. */
function withoutOpenReferences(resource: Step['resource'], data: Data, planned: Data): unknown {
  const open = new Set<string>();
  mapReferences(resource, planned, (_target, value, path) => {
    if (parseStepReference(value) !== undefined) open.add(path.join('.'));
    return value;
  });
  const marked = mapReferences(resource, data, (_target, value, path) =>
    open.has(path.join('.')) ? '' : value,
  );
  return JSON.parse(JSON.stringify(marked));
}
