import { friends, idOf } from '../create-organization.ts';
import type { EventResource } from '../server/organization.ts';
import { requireIdentity, requireRecord, requireStored } from './check-records.ts';
import type { Use } from './judge.ts';
import type { Row, Stage } from './stage.ts';
import { require } from './verdict-errors.ts';

/* What programs do with friends, and with lists that cannot be changed. */

const [friend] = friends as [(typeof friends)[number]];
const isFriend = ({ userId }: { readonly userId?: unknown }): boolean => userId === friend.userId;

const use = (name: string, run: (stage: Stage) => Promise<void>): Use => ({
  name,
  resources: ['friends'],
  run,
});
const toRow = (record: object): Row => ({ ...record });

/** Requires that only the first friend was changed, and how. */
function requireChanged(stage: Stage, before: readonly unknown[], data: object): void {
  const now = stage.records('friends');
  requireStored(stage.record('friends'), { ...(before[0] as { data: object }).data, ...data });
  require(now.slice(1).every((one, index) => one === before[index + 1]), 'another friend was changed');
}

export const friendUses: readonly Use[] = [
  use('list', async (stage) => {
    const rows = await stage.client.friends.list().toArray();
    require(rows.length === friends.length, `${rows.length} of ${friends.length} friends were listed`);
    for (const stored of stage.records('friends')) {
      const row = rows.find(({ userId }) => userId === stored.identity.userId);
      if (stage.member.choices.rows === 'summary') requireIdentity(row && toRow(row), stored);
      else requireRecord('friends', row && toRow(row), stored);
    }
  }),
  use('get', async (stage) => {
    requireRecord('friends', toRow(await stage.client.friends.get(friend)), stage.record('friends'));
  }),
  use('edit', async (stage) => {
    const before = [...stage.records('friends')];
    await stage.client.friends.edit(friend, (data) => ({ ...data, status: 'resolved' }));
    requireChanged(stage, before, { status: 'resolved' });
  }),
  use('addTags', async (stage) => {
    const before = [...stage.records('friends')];
    const { result } = await stage.client.friends.addTags(friend, [idOf('tags', 3), idOf('tags')]);
    requireChanged(stage, before, { tagIds: [idOf('tags'), idOf('tags', 3)] });
    if (result) requireRecord('friends', toRow(result), stage.record('friends'));
  }),
  use('update of a row', async (stage) => {
    const before = [...stage.records('friends')];
    const rows = await stage.client.friends.list().toArray();
    await stage.client.friends.update(rows.find(isFriend), { notes: null });
    requireChanged(stage, before, { notes: null });
  }),
  use('set tags of a row', async (stage) => {
    const before = [...stage.records('friends')];
    const rows = await stage.client.friends.list().toArray();
    await stage.client.friends.setTags(rows.find(isFriend), [idOf('tags', 3)]);
    requireChanged(stage, before, { tagIds: [idOf('tags', 3)] });
  }),
  use('enroll', async (stage) => {
    const { events } = stage.service.organization;
    const { applied } = await stage.client.friends.enroll(friend, idOf('scenarios', 2));
    require(applied && events['friend-automations'].length === 2, 'the friend was not enrolled');
  }),
  use('lists of events', async (stage) => {
    const { client } = stage;
    const reads: readonly (readonly [EventResource, PromiseLike<{ readonly records: readonly object[] }>])[] =
      [
        ['accounts', client.accounts.list()],
        ['conversations', client.conversations.list()],
        ['messages', client.friends.messages(friend)],
        ['friend-automations', client.friends.automations(friend)],
        ['form-submissions', client.forms.submissions(idOf('forms'))],
        ['link-clicks', client.links.clicks(idOf('links'))],
      ];
    for (const [resource, { records }] of await Promise.all(
      reads.map(async ([name, read]) => [name, await read] as const),
    )) {
      const stored = stage.service.organization.events[resource];
      require(records.length ===
        stored.length, `${records.length} of ${stored.length} ${resource} were listed`);
    }
  }),
];
