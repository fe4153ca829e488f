import { invalid } from '../input-checks/control-error.ts';
import { parseControl } from '../input-checks/parse-control.ts';
import { createKey, type KeyEntry, toKeyEntry } from '../records/key.ts';
import type { World } from '../world/world.ts';
import { injectionSchemas } from './schemas.ts';
import {
  announceRecord,
  exists,
  type InjectedRecord,
  listSome,
  openTarget,
  parseRecord,
  type Target,
} from './target.ts';

/** Adds a site, with keywords. */
export function injectSite(world: World, value: unknown, query: unknown): InjectedRecord {
  const target = openTarget(world, query);
  const { organization, now } = target;
  // The id of a site is any text, so names are not replaced.
  const input = parseControl(injectionSchemas().site, value);
  const { id = `site-${world.random.uuid()}`, name = id, keywordLimit } = input;
  if (organization.sites.has(id)) throw exists(`a site ${id}`, 'Leave out id to get a new one.');
  const keywords = input.keywords.map((given) =>
    typeof given === 'string' ? { keyword: given, group: null, addedAt: undefined } : given,
  );
  if (new Set(keywords.map(({ keyword }) => keyword)).size < keywords.length) {
    throw invalid('keywords contains a keyword twice. Name each keyword once.');
  }
  const site = { id, name, keywordLimit };
  organization.sites = new Map([...organization.sites, [id, site]]);
  recordSites(target);
  announceRecord(target, 'sites', { id, revision: '' });
  for (const { keyword, group, addedAt = now } of keywords) {
    const stored = { keyword, group: group || null, addedAt };
    organization.stored.keywords.add(id, stored);
    world.recorder?.('keyword', organization.id, JSON.stringify([id, keyword]), stored);
    announceRecord(target, 'keywords', { id: `${id}/${keyword}`, revision: '' });
  }
  return site;
}

/** In a data file, the sites of an organization are one piece with what never changes. */
function recordSites({ world, organization }: Target): void {
  const { id, name, credits, sites, stored } = organization;
  const accounts = Array.from(stored.accounts.values(), ({ fields }) => fields);
  world.recorder?.('organization', id, '', { id, name, credits, accounts, sites: [...sites.values()] });
}

/** Adds an API key. */
export function injectKey(world: World, value: unknown, query: unknown): KeyEntry {
  const target = openTarget(world, query);
  const { organization } = target;
  const { accounts } = organization.stored;
  const input = parseRecord(injectionSchemas().key, value);
  const { key = `key-${world.random.uuid()}` } = input;
  if (world.keys.get(key) !== undefined)
    throw exists('a key with this text', 'Leave out key to get a new one.');
  const unknown = input.accountIds?.find((id) => accounts.get(id) === undefined);
  if (unknown !== undefined) {
    throw invalid(`accountIds: no account with id ${unknown}. ${listSome('Accounts', accounts.values())}`);
  }
  const created = createKey(organization, { ...input, key, organizationId: organization.id });
  world.keys.set(key, created);
  world.recorder?.('key', organization.id, key, created);
  announceRecord(target, 'keys', { id: created.name, revision: '' });
  return toKeyEntry(created);
}
