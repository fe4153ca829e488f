import { type LabeledRecord, type OrgChatClient, recordsSince } from '@orgchat/sdk';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { Failure } from '../../failure.ts';
import { patientMs } from '../../lists.ts';
import { creationOrder } from '../order.ts';
import type { Step } from '../plan/document.ts';
import type { Applied } from './run.ts';
import type { Made, Sending } from './send-step.ts';

/** A record that this apply created, and another one with its label that somebody else created at the same time. */
interface Twin {
  readonly step: Step;
  readonly made: Made;
  readonly other: LabeledRecord;
}

/**
 * Looks for records that somebody else created with the same labels while this apply ran: with other data, or by other
 * means than an apply. The API cannot prevent them. Whoever creates the second one sees both.
 */
export async function findTwins(
  context: Context,
  client: OrgChatClient,
  { done }: Applied,
  { isKnown }: Sending,
): Promise<Twin[]> {
  const created = done.filter(({ step, made }) => step.action === 'create' && !made.replayed);
  const ours = new Set(done.map(({ made }) => made.id));
  const call = { timeoutMs: context.options.timeout ?? patientMs, signal: context.interrupt.signal };
  const twins: Twin[] = [];
  for (const resource of creationOrder) {
    const ofResource = created.filter(({ step }) => step.resource === resource);
    if (ofResource.length === 0) continue;
    const newer = await recordsSince(client, resource, isKnown, call).catch((error: Error) => {
      context.output.warn(
        `could not check whether someone else created ${resource} as well: ${error.message}`,
      );
      return [];
    });
    for (const { step, made } of ofResource) {
      const other = newer.find(({ id, label }) => label === step.label && !ours.has(id));
      if (other !== undefined) twins.push({ step, made, other });
    }
  }
  return twins;
}

/** Everything was applied, and labels exist twice now. */
export function twinsFailure(twins: readonly Twin[], result: object): Failure {
  const names = twins.map(
    ({ step: { resource, label }, made, other }) =>
      `${resource} "${label}": ${made.id} by this apply, ${other.id} by someone else`,
  );
  return new Failure(
    `The plan was applied. At the same time someone else created records with the same labels, so these exist twice:`,
    {
      code: 'LABEL_TAKEN',
      exit: exitCodes.conflict,
      listed: names,
      hint: 'Look at both and delete one of each: orgchat RESOURCE delete ID',
      extra: {
        result,
        taken: twins.map(({ step: { resource, label }, made, other }) => ({
          resource,
          label,
          operationId: made.operationId,
          created: made.id,
          id: other.id,
        })),
      },
    },
  );
}
