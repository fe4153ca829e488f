import { configurationResources, contractVersion } from '@orgchat/spec';
import { toIsoString } from '../primitives/clock.ts';
import type { Fields } from '../records/entry.ts';
import type { Organization } from '../records/organization.ts';
import { allProjects } from '../records/organization.ts';
import type { World } from '../world/world.ts';
import { broadcastItem, childItems, keyItem, operationItem, recordItem } from './items.ts';

/** Converts a world to the JSON document of `GET /state`: everything except its request log and its faults. */
export function saveState(world: World): unknown {
  return {
    format: 'orgchat-state',
    version: 1,
    contract: contractVersion,
    savedAt: toIsoString(world.clock.now()),
    clock: world.clock.setting,
    chance: { seed: world.random.seed, drawn: world.random.drawn },
    plans: Object.fromEntries(world.plans),
    onDelete: world.onDelete,
    organizations: [...world.organizations.values()].map((organization) =>
      saveOrganization(world, organization),
    ),
    windows: Object.fromEntries(world.limiter.entries()),
    audit: [...world.audit.values()],
    notifications: [...world.notifications.values()],
  };
}

function saveOrganization(world: World, organization: Organization): unknown {
  const { id, name, settings, credits, usage, stored } = organization;
  const children = stored.children;
  const all = (list: keyof typeof childItems, parent: string): Fields[] =>
    children[list].newest(parent, children[list].count(parent)).map(childItems[list]).reverse();
  const configurations = configurationResources.map((resource) => {
    const toItem = resource === 'broadcasts' ? broadcastItem : recordItem;
    const items = Array.from(stored.configurations[resource].values(), (entry) => ({
      ...toItem(entry),
      ...(resource === 'forms' && { submissions: all('submissions', entry.id) }),
      ...(resource === 'links' && { clicks: all('clicks', entry.id) }),
    }));
    return [resource, items] as const;
  });
  return {
    id,
    name,
    ...settings,
    credits,
    usage,
    keys: world
      .listKeys()
      .filter(({ organizationId }) => organizationId === id)
      .map(keyItem),
    sites: Array.from(organization.sites.values(), (site) => ({
      ...site,
      keywords: stored.keywords.list(site.id),
    })),
    accounts: Array.from(stored.accounts.values(), ({ fields }) => fields),
    ...Object.fromEntries(configurations),
    friends: Array.from(stored.friends.values(), (entry) => ({
      ...recordItem(entry),
      messages: all('messages', entry.id),
      automations: all('automations', entry.id),
    })),
    conversations: Array.from(stored.conversations.values(), (entry) => entry.id),
    projects: stored.projects.inArrivalOrder(allProjects).map((project) => ({
      ...project.fields,
      documents: stored.documents.inArrivalOrder(project.id).map(({ fields }) => fields),
    })),
    operations: organization
      .operations()
      .map(operationItem)
      .filter((saved) => saved !== undefined),
  };
}
