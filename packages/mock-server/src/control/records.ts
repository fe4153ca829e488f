import { limits, readableResources } from '@orgchat/spec';
import * as z from 'zod';
import { findOrganization, organizationQuery } from '../input-checks/find-organization.ts';
import { parseControl } from '../input-checks/parse-control.ts';
import { memoize } from '../memoize.ts';
import { toConversation } from '../reads/read-chat.ts';
import type { Entry } from '../records/entry.ts';
import { allProjects, type Organization } from '../records/organization.ts';
import type { World } from '../world/world.ts';

/** `GET /records`. */
export const recordsPage = memoize(() =>
  organizationQuery().extend({
    resource: z
      .enum([...readableResources, 'projects', 'documents', 'sites', 'keywords'])
      .meta({ description: 'A resource of the API, sites, or the keywords of all sites.' }),
    offset: z.int().min(0).default(0).meta({ description: 'Number of records to skip.' }),
    limit: z.int().min(1).default(limits.pageSize).meta({ description: 'Maximum number of records.' }),
  }),
);

/** A page of the records of a resource. */
export interface RecordsPage {
  readonly records: readonly Readonly<Record<string, unknown>>[];
  /** Number of records on all pages. */
  readonly total: number;
}

type Resource = z.output<ReturnType<typeof recordsPage>>['resource'];

/** The records of a resource in the order of the API, whatever key could read them: all accounts, all parents. */
export function listRecords(world: World, page: unknown): RecordsPage {
  const { resource, offset, limit, organization: id } = parseControl(recordsPage(), page);
  const organization = findOrganization(world, id === undefined ? {} : { organization: id });
  const { stored } = organization;
  switch (resource) {
    case 'friends':
    case 'accounts':
    case 'conversations': {
      const { entries, total } = stored[resource].page(undefined, offset, limit);
      const isConversation = resource === 'conversations';
      const records = isConversation
        ? entries.map((entry) => toConversation(organization, entry))
        : read(entries);
      return { records, total };
    }
    case 'messages':
    case 'form-submissions':
    case 'friend-automations':
    case 'link-clicks':
    case 'projects':
    case 'documents':
    case 'sites':
    case 'keywords': {
      const all = listAll(organization, resource);
      return { records: all.slice(offset, offset + limit), total: all.length };
    }
    default: {
      const { entries, total } = stored.configurations[resource].page(undefined, offset, limit);
      return { records: read(entries), total };
    }
  }
}

type Fields = Readonly<Record<string, unknown>>;

const read = (entries: readonly Entry[]): Fields[] => entries.map(({ json }) => JSON.parse(json) as Fields);

const childLists = {
  messages: { list: 'messages', time: 'sentAt' },
  'form-submissions': { list: 'submissions', time: 'submittedAt' },
  'friend-automations': { list: 'automations', time: 'enrolledAt' },
  'link-clicks': { list: 'clicks', time: 'clickedAt' },
} as const;

/** All records of a resource that the API lists per parent, newest first. */
function listAll(
  { stored, sites }: Organization,
  resource: keyof typeof childLists | Extract<Resource, 'projects' | 'documents' | 'sites' | 'keywords'>,
): Fields[] {
  if (resource === 'sites') return Array.from(sites.values(), (site) => ({ ...site }));
  if (resource === 'keywords') {
    return [...sites.keys()].flatMap((siteId) =>
      stored.keywords
        .list(siteId)
        .reverse()
        .map((keyword) => ({ siteId, ...keyword })),
    );
  }
  const all = Number.MAX_SAFE_INTEGER;
  const projects = stored.projects.page(allProjects, undefined, all).entries;
  if (resource === 'projects') return read(projects);
  if (resource === 'documents') {
    return projects.flatMap(({ id }) =>
      stored.documents.page(id, undefined, all).entries.map(({ fields }) => ({ projectId: id, ...fields })),
    );
  }
  const { list, time } = childLists[resource];
  const children = Array.from(stored.children[list].values(), ({ fields }) => fields);
  // They come parent by parent, the oldest first.
  return children
    .reverse()
    .sort((a, b) => (String(a[time]) < String(b[time]) ? 1 : a[time] === b[time] ? 0 : -1));
}
