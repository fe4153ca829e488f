import { invalid, notFound } from '../input-checks/control-error.ts';
import { Entry } from '../records/entry.ts';
import { resolveId } from '../seed/resolve-names.ts';
import type { World } from '../world/world.ts';
import { checkNewId } from './friends.ts';
import { injectionSchemas } from './schemas.ts';
import {
  announceRecord,
  getTime,
  type InjectedRecord,
  listSome,
  openTarget,
  parseRecord,
  requireAccountNumber,
  requireFriend,
  type Target,
  toRecord,
} from './target.ts';

/** Adds a submission of a form. Nothing enrolls or tags the friend. */
export function injectSubmission(
  world: World,
  formId: string,
  value: unknown,
  query: unknown,
): InjectedRecord {
  const target = openTarget(world, query);
  const { submissions } = target.organization.stored.children;
  const input = parseRecord(injectionSchemas().submission, value);
  const form = requireParent(target, 'forms', formId);
  const friend = findFriend(target, input) ?? getNewestFriend(target, form);
  checkNewId(submissions.values(), input.id, 'a form submission');
  const newest = submissions.newest(form.id, 1)[0]?.fields.submittedAt;
  const submittedAt = getTime(target, 'submittedAt', input.submittedAt, newest);
  const id = input.id ?? world.random.uuid();
  const { accountId, userId } = friend.fields;
  const fields = { id, formId: form.id, accountId, userId, values: input.values, submittedAt };
  const entry = new Entry(submissions.nextSequence, friend.account, 1, id, fields);
  submissions.put(form.id, entry);
  world.recorder?.('submissions', target.organization.id, id, entry);
  announceRecord(target, 'form-submissions', entry);
  return toRecord(entry);
}

/** Adds a click on a link, by a friend or an unknown visitor. Nothing enrolls or tags the friend. */
export function injectClick(world: World, linkId: string, value: unknown, query: unknown): InjectedRecord {
  const target = openTarget(world, query);
  const { clicks } = target.organization.stored.children;
  const input = parseRecord(injectionSchemas().click, value);
  const link = requireParent(target, 'links', linkId);
  const friend = findFriend(target, input);
  checkNewId(clicks.values(), input.id, 'a link click');
  const newest = clicks.newest(link.id, 1)[0]?.fields.clickedAt;
  const clickedAt = getTime(target, 'clickedAt', input.clickedAt, newest);
  const id = input.id ?? world.random.uuid();
  const { accountId = null, userId = null } = friend?.fields ?? {};
  const fields = { id, linkId: link.id, accountId, userId, clickedAt };
  const entry = new Entry(clicks.nextSequence, friend?.account ?? 0, 1, id, fields);
  clicks.put(link.id, entry);
  world.recorder?.('clicks', target.organization.id, id, entry);
  announceRecord(target, 'link-clicks', entry);
  return toRecord(entry);
}

function requireParent({ organization }: Target, resource: 'forms' | 'links', given: string): Entry {
  const collection = organization.stored.configurations[resource];
  const entry = collection.get(resolveId(given));
  if (entry !== undefined) return entry;
  const [singular, plural] = resource === 'forms' ? ['form', 'Forms'] : ['link', 'Links'];
  throw notFound(`${singular} with id ${given}`, listSome(plural, collection.values()));
}

/** A body that may name a friend. */
interface FriendReference {
  readonly accountId?: string | null | undefined;
  readonly userId?: string | null | undefined;
}

/** The friend that a body names; undefined if it names none. */
function findFriend(target: Target, { accountId, userId }: FriendReference): Entry | undefined {
  if (accountId == null && userId == null) return undefined;
  if (accountId == null || userId == null) {
    throw invalid('accountId and userId must be used together. Leave out both, or name a friend with both.');
  }
  requireAccountNumber(target, accountId);
  return requireFriend(target, accountId, userId, (what, advice) =>
    invalid(`There is no ${what}. ${advice}`),
  );
}

/** The newest friend of the account of a form; of any account if the form has none. */
function getNewestFriend({ organization }: Target, form: Entry): Entry {
  const scope = form.account === 0 ? undefined : [form.account];
  const [friend] = organization.stored.friends.page(scope, 0, 1).entries;
  if (friend !== undefined) return friend;
  throw invalid('No friend can have sent this form. Add one first: POST /friends.');
}
