import type { OrgChatClient } from '@orgchat/sdk';
import type { Plan, Step } from '../plan/document.ts';

/** The steps of a plan that were sent, as this machine's journal has it, and were not refused. */
export async function sentSteps(client: OrgChatClient, { steps }: Plan): Promise<Step[]> {
  const entries = await client.operations.list();
  const sent = new Set(
    entries
      .filter(({ state }) => state !== 'refused' && state !== 'abandoned')
      .map(({ operationId }) => operationId),
  );
  return steps.filter(({ operationId }) => sent.has(operationId));
}
