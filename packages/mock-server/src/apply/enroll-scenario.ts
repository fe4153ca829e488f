import type { ChatChange } from '@orgchat/spec';
import { toIsoString } from '../primitives/clock.ts';
import { Entry } from '../records/entry.ts';
import { friendKey } from '../records/organization.ts';
import { ApiError } from '../request/api-error.ts';
import type { RequestContext } from '../request/context.ts';
import type { PlannedChange } from '../request/planned-change.ts';
import { requireConfiguration, requireFriend } from '../request/requirements.ts';
import { notify } from './notify.ts';

type Enroll = Extract<ChatChange, { action: 'enroll-scenario' }>;

/** Enrolls a friend in a scenario; an active enrollment is returned unchanged (section 4.4, D61). */
export function enroll(context: RequestContext, change: Enroll): PlannedChange {
  const { world, caller, now } = context;
  const { organization } = caller;
  const friend = requireFriend(caller, change.accountId, change.userId);
  const scenario = requireConfiguration(caller, 'scenarios', change.scenarioId);
  const { accountId } = scenario.fields;
  if (typeof accountId === 'string' && accountId !== change.accountId) {
    const cause = { reason: 'other-account', record: 'scenario', id: scenario.id, accountId } as const;
    throw new ApiError('NOT_FOUND', cause, {
      en: `The scenario ${scenario.id} belongs to another account.`,
      ja: `IDが${scenario.id}のシナリオは別のアカウントに属しています。`,
    });
  }
  return {
    resource: 'friend-automations',
    write: () => {
      const { automations } = organization.stored.children;
      const parent = friendKey(change.accountId, change.userId);
      const active = automations
        .newest(parent, automations.count(parent))
        .find(({ fields }) => fields.scenarioId === scenario.id && fields.status === 'active');
      if (active !== undefined) {
        const cause = {
          reason: 'already-enrolled',
          automationId: active.id,
          friend: friend.label,
          scenario: scenario.label,
        } as const;
        context.trace.rare.decision = { step: 'writePlannedChange', cause, world };
        return { recordId: active.id, recordName: friend.label, result: active.json, isUnchanged: true };
      }
      const id = world.random.uuid();
      const entry = new Entry(automations.nextSequence, friend.account, 1, id, {
        id,
        accountId: change.accountId,
        userId: change.userId,
        scenarioId: scenario.id,
        scenarioName: scenario.label,
        status: 'active',
        nextStep: 0,
        enrolledAt: toIsoString(now),
      });
      automations.put(parent, entry);
      world.recorder?.('automations', organization.id, id, entry);
      notify(context, change, { kind: 'scenario-entered', scenarioId: scenario.id, automationId: id });
      return { recordId: id, recordName: friend.label, result: entry.json };
    },
  };
}
