import type { OrgChatClient } from '@orgchat/sdk';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { Failure } from '../../failure.ts';
import { type Held, type Organization, readOrganization } from '../organization.ts';
import type { Plan, Step } from '../plan/document.ts';
import { sentSteps } from './journaled.ts';
import type { Sending } from './send-step.ts';

/** A record that was not there when the plan was made, and has the label of one that the plan is to make. */
interface Taken {
  readonly step: Step;
  readonly by: Held;
}

/** What was found of the labels of a plan that was made earlier. */
interface LabelCheck {
  readonly taken: readonly Taken[];
  /** Whether a record with the label of the step was there, by its id. */
  readonly wasSeen: Sending['wasSeen'];
}

/** What the plan knew, by id: the label it had then, and undefined where the plan may change it. */
function labelsKnownTo({ steps, unchanged, others }: Plan): ReadonlyMap<string, string | undefined> {
  return new Map([
    ...[...unchanged, ...others].map(({ id, label }) => [id, label] as const),
    ...steps.flatMap(({ id }) => (id === undefined ? [] : [[id, undefined] as const])),
  ]);
}

/**
 * A create has no revision to be guarded by. So the labels are looked at again before a plan that was made earlier
 * is applied; a step that was sent already is the maker of what is found, and is sent again under its id.
 */
export async function checkLabels(context: Context, client: OrgChatClient, plan: Plan): Promise<LabelCheck> {
  const creates = plan.steps.filter((step) => step.action === 'create');
  if (creates.length === 0) return { taken: [], wasSeen: () => false };
  const { records } = await readOrganization(context, plan.organizationId, [
    ...new Set(creates.map(({ resource }) => resource)),
  ]);
  // Read after the organization: a step that is sent in between is then known as sent, and its record is not there yet.
  const sent = new Set(await sentSteps(client, plan));
  return {
    taken: takenIn(
      records,
      plan,
      creates.filter((step) => !sent.has(step)),
    ),
    wasSeen: ({ resource, label }, id) =>
      records[resource].some((record) => record.id === id && record.label === label),
  };
}

function takenIn(records: Organization['records'], plan: Plan, creates: readonly Step[]): Taken[] {
  const known = labelsKnownTo(plan);
  const isNews = ({ id, label }: Held): boolean =>
    !known.has(id) || ![undefined, label].includes(known.get(id));
  return creates.flatMap((step) => {
    const by = records[step.resource].find((held) => held.label === step.label && isNews(held));
    return by === undefined ? [] : [{ step, by }];
  });
}

/** How the steps of a plan are sent. */
export function sendingOf(plan: Plan, policy: Sending['policy'], wasSeen: Sending['wasSeen']): Sending {
  const known = labelsKnownTo(plan);
  const givenUp = new Set(plan.givenUp);
  return {
    organizationId: plan.organizationId,
    policy,
    isKnown: (id) => known.has(id),
    isGivenUp: (operationId) => givenUp.has(operationId),
    wasSeen,
  };
}

/** Refuses a plan of which a record was made by somebody else; nothing of it is applied. */
export function takenFailure(taken: readonly Taken[]): Failure {
  const names = taken.map(({ step: { resource, label }, by }) => `${resource} "${label}" (${by.id})`);
  return new Failure(
    `Since the plan was made somebody made ${names.join(', ')}: it would be there twice. Nothing was applied.`,
    {
      code: 'LABEL_TAKEN',
      exit: exitCodes.conflict,
      hint: 'Plan again; what is there is then known by its label: orgchat config plan FILE -o PLAN',
      extra: {
        taken: taken.map(({ step: { resource, label, operationId }, by }) => ({
          resource,
          label,
          operationId,
          id: by.id,
        })),
      },
    },
  );
}
