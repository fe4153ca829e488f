import { configurationData, documentKinds, friendData, limits } from '@orgchat/spec';
import * as z from 'zod';
import { dataOf } from '../apply/configurations.ts';
import { edit } from '../apply/rival.ts';
import { allProjects } from '../apply/studio.ts';
import { momentOf } from '../clock.ts';
import type { Entry } from '../store/entry.ts';
import type { Organization } from '../store/organization.ts';
import type { World } from '../world.ts';
import { editInput, invalid, notFound, parseControl } from './input.ts';

const friendEdit = friendData.extend({
  displayName: z.string().trim().min(1).max(limits.expectedLabel).optional(),
  tagIds: z.array(z.string().toLowerCase()).optional(),
});

const projectEdit = z.strictObject({
  name: z.string().optional(),
  description: z.string().optional(),
  archived: z.boolean().optional(),
});

const documentEdit = z.strictObject({
  title: z.string().optional(),
  kind: z.enum(documentKinds).optional(),
  body: z.string().optional(),
});

/**
 * A rival editor: changes some fields of a record between a client's read and its write. What is not given stays;
 * the result must still be a valid record. Answers the record as it is now.
 */
export function editRecord(world: World, value: unknown): unknown {
  const { resource, id, data } = parseControl(editInput, value);
  const organization = world.mainOrganization;
  const now = world.clock.now();
  if (resource === 'projects' || resource === 'documents') {
    return editStudio(world, organization, resource, id.toLowerCase(), data, now);
  }
  if (resource === 'friends') {
    const entry = friendOf(organization, id);
    const changed = parseControl(friendEdit, data);
    return JSON.parse(edit(world, organization, { resource, entry }, changed, now).json);
  }
  const entry = organization.stored.configurations[resource].get(id.toLowerCase());
  if (entry === undefined) throw notFound(`record ${id} among ${resource}`);
  const merged = { ...dataOf(resource, entry.fields), ...data };
  const changed = parseControl<z.ZodType<Record<string, unknown>>>(configurationData[resource], merged);
  holdAccounts(organization, changed);
  return JSON.parse(edit(world, organization, { resource, entry }, changed, now).json);
}

/** The friend of `accountId/userId`, the account in any case, or of a `userId` that only one account has. */
function friendOf(organization: Organization, id: string): Entry {
  const [userId = '', accountId] = id.split('/').reverse();
  const accounts = accountId === undefined ? accountIdsOf(organization) : [accountId.toLowerCase()];
  const found = accounts.map((account) => organization.friend(account, userId));
  const [entry, another] = found.filter((friend) => friend !== undefined);
  if (entry === undefined) throw notFound(`friend ${id}`);
  if (another !== undefined)
    throw invalid(`id ${id} is a friend of more than one account. Give it as accountId/userId.`);
  return entry;
}

const accountIdsOf = ({ stored }: Organization): string[] =>
  Array.from(stored.accounts.values(), ({ id }) => id);

/**
 * A rival sees every account but can invent none: who may see a record follows from it. Another record may be gone,
 * as it may after a deletion.
 */
function holdAccounts(organization: Organization, data: Readonly<Record<string, unknown>>): void {
  const named = [data.accountId, data.accountIds].flat().filter((id) => typeof id === 'string');
  for (const id of named) {
    if (organization.accountNumber(id) === undefined)
      throw invalid(`data names an account that does not exist: ${id}.`);
  }
}

function editStudio(
  world: World,
  organization: Organization,
  resource: 'projects' | 'documents',
  id: string,
  data: unknown,
  now: number,
): unknown {
  const { projects, documents } = organization.stored;
  const updatedAt = momentOf(now);
  if (resource === 'projects') {
    const before = projects.get(allProjects, id);
    if (before === undefined) throw notFound(`project ${id}`);
    const fields = { ...before.fields, ...parseControl(projectEdit, data), updatedAt };
    return stored(world, organization, allProjects, id, fields);
  }
  for (const project of projects.arrived(allProjects)) {
    const before = documents.get(project.id, id);
    if (before === undefined) continue;
    const fields = { ...before.fields, ...parseControl(documentEdit, data), updatedAt };
    return stored(world, organization, project.id, id, fields);
  }
  throw notFound(`document ${id}`);
}

function stored(
  world: World,
  organization: Organization,
  parent: string,
  id: string,
  fields: Readonly<Record<string, unknown>>,
): unknown {
  const shelf = parent === allProjects ? organization.stored.projects : organization.stored.documents;
  const entry = shelf.put(parent, id, fields, shelf.get(parent, id)?.sequence);
  world.recorder?.(
    parent === allProjects ? 'project' : 'document',
    organization.id,
    `${parent} ${id}`,
    entry,
  );
  return JSON.parse(entry.json);
}
