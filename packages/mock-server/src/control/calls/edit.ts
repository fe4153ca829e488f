import { configurationData, configurationResources, singularNames } from '@orgchat/spec';
import * as z from 'zod';
import { announceEdit, byControl } from '../../apply/announce.ts';
import { pickData } from '../../apply/configurations.ts';
import { applyRivalEdit } from '../../apply/rival-edit.ts';
import { friendEdit } from '../../inject/edit-shapes.ts';
import { invalid, notFound } from '../../input-checks/control-error.ts';
import { findOrganization, organizationQuery } from '../../input-checks/find-organization.ts';
import { parseControl } from '../../input-checks/parse-control.ts';
import { memoize } from '../../memoize.ts';
import { toIsoString } from '../../primitives/clock.ts';
import type { Entry } from '../../records/entry.ts';
import type { Organization } from '../../records/organization.ts';
import { allProjects } from '../../records/organization.ts';
import { seedSchemas } from '../../seed/schema.ts';
import { changeFromOutside } from '../../world/outside-changes.ts';
import type { World } from '../../world/world.ts';
import type { ControlCalls } from '../call.ts';

/* An edit by a concurrent editor. */

const editInput = memoize(() =>
  z
    .strictObject({
      resource: z.enum([...configurationResources, 'friends', 'projects', 'documents']),
      id: z.string().meta({
        description: 'The id of the record; for a friend accountId/userId, or a userId that is unique.',
      }),
      data: z.record(z.string(), z.unknown()).meta({ description: 'The fields that change.' }),
    })
    .meta({ id: 'EditInput', description: 'An edit by a concurrent editor. Omitted fields stay.' }),
);

/** A rival edit: a record, and the fields that change. A friend's id is `accountId/userId`, or a `userId` that is unique. */
export type EditInput = z.input<ReturnType<typeof editInput>>;

/* The shapes of seeds: what is stored must be accepted when it is loaded. */

const projectEdit = memoize(() => {
  const { name, description, archived } = seedSchemas().parts.project.shape;
  return z.strictObject({ name, description: description.unwrap(), archived: archived.unwrap() }).partial();
});

const documentEdit = memoize(() => {
  const { title, kind, body } = seedSchemas().parts.document.shape;
  return z.strictObject({ title, kind, body }).partial();
});

const editor = { kind: 'control' } as const;

type Edit = z.output<ReturnType<typeof editInput>>;

/**
 * Changes some fields of a record between a client's read and its write. Omitted fields stay; the result must be a valid
 * record. Returns the changed record.
 */
function applyEdit(world: World, { resource, id, data }: Edit, query: unknown): object {
  const organization = findOrganization(world, query);
  const now = world.clock.now();
  if (resource === 'projects' || resource === 'documents') {
    return editStudio(world, organization, resource, id.toLowerCase(), data, now);
  }
  if (resource === 'friends') {
    const entry = findFriend(organization, id);
    const changed = parseControl(friendEdit(), data);
    return JSON.parse(applyRivalEdit(world, organization, { resource, entry }, changed, now, editor).json);
  }
  const entry = organization.stored.configurations[resource].get(id.toLowerCase());
  if (entry === undefined) throw notFound(`${singularNames[resource]} with id ${id}`);
  const merged = { ...pickData(resource, entry.fields), ...data };
  const whole = parseControl<z.ZodType<Record<string, unknown>>>(configurationData[resource], merged);
  // Omitted fields stay as they are stored, perhaps with white space around them or an account that does not exist.
  const changed = Object.fromEntries(Object.keys(data).map((name) => [name, whole[name]]));
  checkAccounts(organization, changed);
  return JSON.parse(applyRivalEdit(world, organization, { resource, entry }, changed, now, editor).json);
}

/** Finds a friend by `accountId/userId` (letter case of the account is ignored), or by a `userId` that is unique. */
function findFriend(organization: Organization, id: string): Entry {
  const [userId = '', accountId] = id.split('/').reverse();
  const accounts = accountId === undefined ? getAccountIds(organization) : [accountId.toLowerCase()];
  const found = accounts.map((account) => organization.friend(account, userId));
  const [entry, another] = found.filter((friend) => friend !== undefined);
  if (entry === undefined) throw notFound(`friend ${id}`);
  if (another !== undefined)
    throw invalid(`Friend ${id} exists in more than one account. Pass the id as accountId/userId.`);
  return entry;
}

const getAccountIds = ({ stored }: Organization): string[] =>
  Array.from(stored.accounts.values(), ({ id }) => id);

/**
 * Checks that the accounts exist, since they determine who can read the record. Other references may be missing, as they
 * may after a deletion.
 */
function checkAccounts(organization: Organization, data: Readonly<Record<string, unknown>>): void {
  const unknown = organization.findUnknownAccount(data);
  if (unknown !== undefined) throw invalid(`data refers to an account that does not exist: ${unknown}.`);
}

function editStudio(
  world: World,
  organization: Organization,
  resource: 'projects' | 'documents',
  id: string,
  data: unknown,
  now: number,
): object {
  const { projects, documents } = organization.stored;
  const updatedAt = toIsoString(now);
  if (resource === 'projects') {
    const before = projects.get(allProjects, id);
    if (before === undefined) throw notFound(`project ${id}`);
    const fields = { ...before.fields, ...parseControl(projectEdit(), data), updatedAt };
    return storeEdit(world, organization, allProjects, id, fields);
  }
  for (const project of projects.inArrivalOrder(allProjects)) {
    const before = documents.get(project.id, id);
    if (before === undefined) continue;
    const fields = { ...before.fields, ...parseControl(documentEdit(), data), updatedAt };
    return storeEdit(world, organization, project.id, id, fields);
  }
  throw notFound(`document ${id}`);
}

function storeEdit(
  world: World,
  organization: Organization,
  parent: string,
  id: string,
  fields: Readonly<Record<string, unknown>>,
): object {
  const collection = parent === allProjects ? organization.stored.projects : organization.stored.documents;
  const entry = collection.put(parent, id, fields, collection.get(parent, id)?.sequence);
  world.recorder?.(
    parent === allProjects ? 'project' : 'document',
    organization.id,
    `${parent} ${id}`,
    entry,
  );
  announceEdit(world, organization, parent === allProjects ? 'projects' : 'documents', entry, byControl);
  return JSON.parse(entry.json);
}

export const editCalls = {
  editRecord: {
    method: 'POST',
    path: '/edit',
    query: organizationQuery,
    body: editInput,
    bodyRequired: true,
    tag: 'Records',
    summary: 'Edit a record as a concurrent editor would',
    errors: [404],
    example: {
      resource: 'tags',
      id: '0b9d7c52-4a0f-4a4e-9d77-3f6c2b1a8e10',
      data: { name: 'Edited' },
    },
    answer: () =>
      z
        .looseObject({})
        .meta({ id: 'EditedRecord', description: 'The record after the edit, as a read of it answers.' }),
    mock: 'edit',
    run: ({ world }, value, options = {}) => {
      const input = parseControl(editInput(), value);
      const about = { action: 'edit', resource: input.resource, path: '/edit' } as const;
      return changeFromOutside(world, about, () => applyEdit(world, input, options));
    },
  },
} as const satisfies ControlCalls;
