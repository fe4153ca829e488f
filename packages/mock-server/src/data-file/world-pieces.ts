import { configurationResources } from '@orgchat/spec';
import type { Entry } from '../records/entry.ts';
import { allProjects, type Organization } from '../records/organization.ts';
import type { World } from '../world/world.ts';
import { type ChildList, childLists, type StatePiece } from './state-pieces.ts';

type OwnPiece = Omit<StatePiece, 'organization'>;

/** Splits a world into the pieces of its whole state, each when it is asked for. */
export function* splitWorld(world: World): Generator<StatePiece> {
  const { plans, onDelete, random, clock, limiter, audit, notifications, organizations } = world;
  function* splitShared(): Generator<OwnPiece> {
    yield { kind: 'world', key: 'plans', value: Object.fromEntries(plans) };
    yield { kind: 'world', key: 'onDelete', value: onDelete };
    yield { kind: 'world', key: 'chance', value: { seed: random.seed, drawn: random.drawn } };
    yield { kind: 'world', key: 'clock', value: clock.setting };
    for (const [key, times] of limiter.entries()) yield { kind: 'window', key, value: times };
    for (const entry of audit.values()) yield { kind: 'audit', key: String(entry.id), value: entry };
    for (const entry of notifications.values())
      yield { kind: 'notification', key: String(entry.id), value: entry };
  }
  for (const piece of splitShared()) yield { ...piece, organization: '' };
  const keys = world.listKeys();
  for (const organization of organizations.values()) {
    const { id } = organization;
    for (const piece of splitOrganization(organization)) yield { ...piece, organization: id };
    for (const key of keys)
      if (key.organizationId === id) yield { kind: 'key', organization: id, key: key.key, value: key };
  }
}

function* splitOrganization(organization: Organization): Generator<OwnPiece> {
  const { id, name, settings, credits, usage, stored, sites } = organization;
  const accounts = Array.from(stored.accounts.values(), ({ fields }) => fields);
  yield { kind: 'organization', key: '', value: { id, name, credits, accounts, sites: [...sites.values()] } };
  yield { kind: 'settings', key: '', value: settings };
  yield { kind: 'usage', key: '', value: usage };
  for (const site of sites.values()) {
    for (const keyword of stored.keywords.list(site.id))
      yield { kind: 'keyword', key: JSON.stringify([site.id, keyword.keyword]), value: keyword };
  }
  for (const kind of configurationResources) {
    for (const entry of stored.configurations[kind].values()) yield* splitRecord(organization, kind, entry);
  }
  for (const entry of stored.friends.values()) yield* splitRecord(organization, 'friends', entry);
  // The order of the messages is also that of the conversations.
  for (const { id: friend } of stored.conversations.values())
    yield* splitList(organization, 'messages', friend);
  for (const project of stored.projects.inArrivalOrder(allProjects)) {
    yield { kind: 'project', key: `${allProjects} ${project.id}`, value: project };
    for (const document of stored.documents.inArrivalOrder(project.id))
      yield { kind: 'document', key: `${project.id} ${document.id}`, value: document };
  }
  for (const operation of organization.operations())
    yield { kind: 'operation', key: operation.operationId, value: operation };
}

/** Splits off the children of a record. */
function* splitRecord(organization: Organization, kind: string, entry: Entry): Generator<OwnPiece> {
  yield { kind, key: entry.id, value: entry };
  for (const list of Object.keys(childLists[kind as keyof typeof childLists] ?? {}) as ChildList[])
    if (list !== 'messages') yield* splitList(organization, list, entry.id);
}

function* splitList({ stored }: Organization, list: ChildList, parent: string): Generator<OwnPiece> {
  const children = stored.children[list];
  for (const child of [...children.newest(parent, children.count(parent))].reverse())
    yield { kind: list, key: child.id, value: child };
}
