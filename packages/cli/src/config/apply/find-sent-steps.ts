import type { OperationEntry, OrgChatClient } from '@orgchat/sdk';
import { type CreateOnceInput, createOperationId } from '@orgchat/sdk/create-once';
import type { Plan, Step } from '../plan/plan-schema.ts';
import { createStepFingerprint, hasOpenReference } from './step-fingerprint.ts';

/**
 * Finds the steps of a plan that are in the journal of this machine and were not rejected. A create whose operation id
 * is only known once all its references exist is found by its fingerprint.
 */
export async function findSentSteps(client: OrgChatClient, { steps, organizationId }: Plan): Promise<Step[]> {
  // All entries are read only if the id of a step is not known: there may be very many.
  const entries = steps.some(hasOpenReference) ? await client.operations.list() : [];
  const fingerprints = new Set(entries.filter(wasNotRefused).map(({ fingerprint }) => fingerprint));
  const wasSent = async (step: Step): Promise<boolean> => {
    if (hasOpenReference(step)) return fingerprints.has(createStepFingerprint(organizationId, step));
    const { action, resource, label, data = {} } = step;
    const input = { organizationId, resource, label, data } as unknown as CreateOnceInput;
    const id = action === 'create' ? await createOperationId(input, 0) : step.operationId;
    const entry = id === undefined ? undefined : await client.operations.get(id);
    return entry !== undefined && wasNotRefused(entry);
  };
  const sent = await Promise.all(steps.map(wasSent));
  return steps.filter((_step, index) => sent[index]);
}

const wasNotRefused = ({ state }: OperationEntry): boolean => state !== 'refused' && state !== 'abandoned';
