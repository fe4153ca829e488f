import { isDeepStrictEqual } from 'node:util';
import {
  type CreateOnceInput,
  createOperationId,
  type OperationEntry,
  type OrgChatClient,
} from '@orgchat/sdk';
import type { Data } from '../../resources/collect-data.ts';
import { mapReferences } from '../file/references.ts';
import type { Plan, Step } from '../plan/document.ts';
import { pendingKey } from '../plan/pending.ts';

/**
 * The steps of a plan that this machine's journal has and that were not refused. A create is recognized by its data:
 * its operation id is only known once everything it refers to exists. An equal record that was created by other means
 * has an operation id of its own, and is not a step.
 */
export async function sentSteps(client: OrgChatClient, { steps, organizationId }: Plan): Promise<Step[]> {
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
    for (const data of entries.flatMap((entry) => createdData(entry, step)))
      if (ids.has(await idOf(step, data))) return true;
    return false;
  };
  const sent = await Promise.all(steps.map(wasSent));
  return steps.filter((_step, index) => sent[index]);
}

const wasNotRefused = ({ state }: OperationEntry): boolean => state !== 'refused' && state !== 'abandoned';

/** Whether a create refers to a record that is yet to be made, so that its data and its id are not known yet. */
function hasOpenReference({ action, resource, data = {} }: Step): boolean {
  let isOpen = false;
  mapReferences(resource, data, (_target, value) => {
    isOpen ||= pendingKey(value) !== undefined;
    return value;
  });
  return action === 'create' && isOpen;
}

/** The data that an entry creates a record of the step from, if it does. */
function createdData({ change }: OperationEntry, { resource, data = {} }: Step): Data[] {
  if (change?.action !== `create-${resource}` || !('data' in change)) return [];
  const sent = { ...change.data };
  const isEqual = isDeepStrictEqual(
    withoutPending(resource, data, data),
    withoutPending(resource, sent, data),
  );
  return isEqual ? [sent] : [];
}

/** Data in which every reference that `planned` still has open is replaced by the same mark. */
function withoutPending(resource: Step['resource'], data: Data, planned: Data): unknown {
  const open = new Set<string>();
  mapReferences(resource, planned, (_target, value, path) => {
    if (pendingKey(value) !== undefined) open.add(path.join('.'));
    return value;
  });
  const marked = mapReferences(resource, data, (_target, value, path) =>
    open.has(path.join('.')) ? '' : value,
  );
  return JSON.parse(JSON.stringify(marked));
}
