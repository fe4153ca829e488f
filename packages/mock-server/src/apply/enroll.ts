import type { ChatChange } from '@orgchat/spec';
import { momentOf } from '../clock.ts';
import { Entry } from '../store/entry.ts';
import { friendKey } from '../store/organization.ts';
import { notify } from './notify.ts';
import type { Plan, Scene } from './plan.ts';
import { needConfiguration, needFriend } from './visible.ts';

type Enroll = Extract<ChatChange, { action: 'enroll-scenario' }>;

/** Clauses 4.4: a friend enters a scenario; one who is in it already stays in it (D61). */
export function enroll(scene: Scene, change: Enroll): Plan {
  const { world, caller, now } = scene;
  const { organization } = caller;
  const friend = needFriend(caller, change.accountId, change.userId);
  const scenario = needConfiguration(caller, 'scenarios', change.scenarioId);
  return {
    resource: 'friend-automations',
    write: () => {
      const { automations } = organization.stored.children;
      const parent = friendKey(change.accountId, change.userId);
      const running = automations
        .newest(parent, automations.count(parent))
        .find(({ fields }) => fields.scenarioId === scenario.id && fields.status === 'active');
      if (running !== undefined) return { recordId: running.id, result: running.json };
      const id = world.chance.uuid();
      const entry = new Entry(automations.nextSequence, friend.account, 1, id, {
        id,
        accountId: change.accountId,
        userId: change.userId,
        scenarioId: scenario.id,
        scenarioName: scenario.label,
        status: 'active',
        nextStep: 0,
        enrolledAt: momentOf(now),
      });
      automations.put(parent, entry);
      world.recorder?.('automations', organization.id, id, entry);
      notify(scene, change, { kind: 'scenario-entered', scenarioId: scenario.id, automationId: id });
      return { recordId: id, result: entry.json };
    },
  };
}
