import type { OrgChatClient } from '@orgchat/sdk';
import { getChatApi, isSameLabel, recordsSince } from '@orgchat/sdk/internal';
import { singularNames } from '@orgchat/spec/resources/names';
import { toShellWord } from '../../args/shell-word.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { pluralName } from '../../resources/resource-names.ts';
import { creationOrder } from '../file/references.ts';
import { type Organization, type RemoteRecord, readOrganization, toRemoteRecord } from '../organization.ts';
import type { Plan, Step } from '../plan/plan-schema.ts';
import { collectKnownLabels, type SendOptions, type SentStep, type StepResults } from './send-step.ts';
import { findSentSteps } from './unfinished-apply.ts';

/** A record that someone created after the plan was made, with the label of a record that the plan creates. */
interface LabelConflict {
  readonly step: Step;
  readonly by: RemoteRecord;
}

/** Result of checking the labels of a plan that was made earlier. */
interface LabelCheck {
  readonly conflicts: readonly LabelConflict[];
  readonly hasLabelNow: SendOptions['hasLabelNow'];
}

/**
 * Checks the labels again before an earlier plan is applied, because a create has no revision to guard it. If a step
 * was already sent, it created the record that is found, and it is sent again with its id.
 */
export async function findLabelConflicts(
  context: Context,
  client: OrgChatClient,
  plan: Plan,
): Promise<LabelCheck> {
  const creates = plan.steps.filter((step) => step.action === 'create');
  if (creates.length === 0) return { conflicts: [], hasLabelNow: () => false };
  const { records } = await readOrganization(context, plan.organizationId, [
    ...new Set(creates.map(({ resource }) => resource)),
  ]);
  // Read after the organization: a step that is sent in between is then known as sent, and its record is not there yet.
  const sent = new Set(await findSentSteps(client, plan));
  return {
    conflicts: findConflicts(
      records,
      plan,
      creates.filter((step) => !sent.has(step)),
    ),
    hasLabelNow: ({ resource, label }, id) =>
      records[resource].some((record) => record.id === id && isSameLabel(record.label, label)),
  };
}

function findConflicts(
  records: Organization['records'],
  plan: Plan,
  creates: readonly Step[],
): LabelConflict[] {
  const knownLabels = collectKnownLabels(plan);
  const isNews = ({ id, label }: RemoteRecord): boolean =>
    !knownLabels.has(id) || ![undefined, label].includes(knownLabels.get(id));
  return creates.flatMap((step) => {
    const by = records[step.resource].find(
      (remote) => isSameLabel(remote.label, step.label) && isNews(remote),
    );
    return by === undefined ? [] : [{ step, by }];
  });
}

/** The error of a plan if someone else created one of its records. */
export function labelConflictError(conflicts: readonly LabelConflict[]): CliError {
  const names = conflicts.map(
    ({ step: { resource, label }, by }) => `${singularNames[resource]} "${label}" (${by.id})`,
  );
  return new CliError(
    `Created by someone else after the plan was made: ${names.join(', ')}. Applying would create duplicates. Nothing was applied.`,
    {
      code: 'LABEL_TAKEN',
      exit: exitCodes.conflict,
      hint: 'Plan again; the existing record is then matched by its label: orgchat config plan FILE -o PLAN',
      extra: {
        taken: conflicts.map(({ step: { resource, label, operationId }, by }) => ({
          resource,
          label,
          operationId,
          id: by.id,
        })),
      },
    },
  );
}

/** A record that this apply created, and another one with the same label that someone else created at the same time. */
interface DuplicateLabel {
  readonly step: Step;
  readonly made: SentStep;
  readonly other: RemoteRecord;
}

/**
 * Finds records that someone else created with the same labels while this apply ran, with other data or by other
 * means. The API cannot prevent them. The process that creates the second one sees both.
 */
export async function findDuplicateLabels(
  context: Context,
  client: OrgChatClient,
  { done }: StepResults,
  { isKnown }: SendOptions,
): Promise<DuplicateLabel[]> {
  const created = done.filter(({ step, made }) => step.action === 'create' && !made.replayed);
  const ours = new Set(done.map(({ made }) => made.id));
  const call = context.bulkCall;
  const duplicates: DuplicateLabel[] = [];
  for (const resource of creationOrder) {
    const ofResource = created.filter(({ step }) => step.resource === resource);
    if (ofResource.length === 0) continue;
    const newer = await recordsSince(getChatApi(client), resource, isKnown, call).catch((error: Error) => {
      context.output.warn(`could not check for duplicate ${pluralName(resource)}: ${error.message}`);
      return [];
    });
    const remote = newer.map((record) => toRemoteRecord(resource, record));
    for (const { step, made } of ofResource) {
      const other = remote.find(({ id, label }) => isSameLabel(label, step.label) && !ours.has(id));
      if (other !== undefined) duplicates.push({ step, made, other });
    }
  }
  return duplicates;
}

/** The error of an apply that succeeded while someone else created records with the same labels. */
export function duplicateLabelsError(duplicates: readonly DuplicateLabel[], result: object): CliError {
  const names = duplicates.map(
    ({ step: { resource, label }, made, other }) =>
      `${singularNames[resource]} "${label}": ${made.id} by this apply, ${other.id} by someone else`,
  );
  return new CliError(
    `The plan was applied, but someone else created records with the same labels at the same time. Duplicates:`,
    {
      code: 'LABEL_TAKEN',
      exit: exitCodes.conflict,
      listed: names,
      hint: 'Compare them and delete one of each: orgchat RESOURCE delete ID',
      extra: {
        result,
        taken: duplicates.map(({ step: { resource, label }, made, other }) => ({
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
    hint: `Review them and plan again: orgchat config diff ${toShellWord(plan.file ?? 'FILE')}`,
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
