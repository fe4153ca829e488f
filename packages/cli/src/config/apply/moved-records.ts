import type { OrgChatClient } from '@orgchat/sdk';
import { singularNames } from '@orgchat/spec/resources/names';
import { CliError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import type { Organization } from '../organization.ts';
import type { Plan } from '../plan/plan-schema.ts';
import { findSentSteps } from './unfinished-apply.ts';

/**
 * Throws if a record that a saved plan changes or deletes is gone or changed since the plan was made. The server would
 * refuse the step, but after others were applied. Steps that were sent are sent again with their operation ids.
 */
export async function requireCurrentRecords(
  client: OrgChatClient,
  plan: Plan,
  { records }: Organization,
): Promise<void> {
  const sent = new Set(await findSentSteps(client, plan));
  const moved = plan.steps.flatMap((step) => {
    if (step.action === 'create' || step.followsUp !== undefined || sent.has(step)) return [];
    const remote = records[step.resource].find(({ id }) => id === step.id);
    const isCurrent = remote?.revision === step.expectedRevision && remote?.label === step.expectedLabel;
    return isCurrent ? [] : [{ step, isGone: remote === undefined }];
  });
  const [first] = moved;
  if (first === undefined) return;
  throw new CliError('Nothing was applied. These records changed after the plan was made:', {
    code: first.isGone ? 'NOT_FOUND' : 'STALE_REVISION',
    exit: exitCodes.conflict,
    listed: moved.map(
      ({ step: { resource, label }, isGone }) =>
        `${singularNames[resource]} "${label}": ${isGone ? 'deleted' : 'changed'}`,
    ),
    hint: `Review them and plan again: orgchat config diff ${plan.file ?? 'FILE'}`,
    extra: {
      moved: moved.map(({ step: { resource, label, id, operationId } }) => ({
        resource,
        label,
        id,
        operationId,
      })),
    },
  });
}
