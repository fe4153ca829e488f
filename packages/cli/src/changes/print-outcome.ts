import type { ChangeOutcome } from '@orgchat/sdk';
import type { Context } from '../context.ts';

/** Prints the outcome of a change. A table shows the record; other formats show the whole outcome. */
export async function printOutcome(context: Context, outcome: ChangeOutcome): Promise<void> {
  const { output } = context;
  if (output.format === 'table') {
    await output.one(outcome.result ?? { applied: outcome.applied });
    output.note(`${outcome.replayed ? 'Applied earlier' : 'Applied'} as operation ${outcome.operationId}.`);
  } else {
    await output.one(outcome);
  }
  if (!outcome.auditRecorded) output.warn('this change is missing from the audit log of the organization');
}
