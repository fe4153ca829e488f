import { isObject } from '@orgchat/spec';
import type * as z from 'zod';
import type { AuditEntry, Notification } from '../generated/public-types.ts';
import { describeIssues } from '../input-checks/describe-issues.ts';
import { Clock } from '../primitives/clock.ts';
import { restoreSpaces } from '../primitives/restore-spaces.ts';
import { SeededRandom } from '../primitives/seeded-random.ts';
import type { Organization } from '../records/organization.ts';
import { Tree } from '../records/tree.ts';
import { RateLimiter } from '../world/request-limits.ts';
import { type Plan, type Rules, World } from '../world/world.ts';
import { type LoadedOrganization, OrganizationLoader } from './load-organization.ts';
import { resolveNames } from './resolve-names.ts';
import { type CompleteSeed, seedSchemas } from './schema.ts';
import { SeedError, seedErrorAt } from './seed-error.ts';
import { type StateDocument, type StateOrganization, stateSchemas } from './state-schema.ts';

/** What a world needs besides its data. */
export interface LoadOptions {
  readonly rules: Rules;
  /** The machine's time in milliseconds. */
  readonly now: () => number;
  readonly randomSeed: number;
}

/** Loads a seed or a saved state; throws a `SeedError` that says what is invalid, and where. */
export function loadDocument(document: unknown, loadOptions: LoadOptions): World {
  const world =
    getFormat(document) === 'orgchat-state'
      ? loadState(document, loadOptions)
      : loadSeed(document, loadOptions);
  for (const organization of world.organizations.values()) computeAllJson(organization);
  return world;
}

/** Computes JSON and revision of every record, so that no request has to. */
function computeAllJson({ stored: { configurations, friends } }: Organization): void {
  for (const collection of [...Object.values(configurations), friends]) {
    for (const entry of collection.values()) void entry.json;
  }
}

/** The format of a document; throws a `SeedError` if it is neither a seed nor a saved state. */
function getFormat(document: unknown): 'orgchat-seed' | 'orgchat-state' {
  if (!isObject(document)) {
    throw new SeedError('A seed or a saved state must be an object with "organizations".');
  }
  if ('format' in document) {
    const { format } = document;
    if (format === 'orgchat-seed' || format === 'orgchat-state') return format;
    const given =
      typeof format === 'string' ? `"${format.slice(0, 50)}"` : `a value of type ${typeof format}`;
    const problem = `must be "orgchat-state" in a saved state, and "orgchat-seed" or absent in a seed, got ${given}.`;
    throw seedErrorAt(['format'], problem);
  }
  if ('organizations' in document) return 'orgchat-seed';
  throw new SeedError('This is neither a seed nor a saved state: it has no "organizations".');
}

const loadSeed = (seed: unknown, loadOptions: LoadOptions): World =>
  loadComplete(parse(seedSchemas().seedDocument, resolveNames(seed), 'The seed'), loadOptions);

/** Loads a seed that is known to be complete and valid. The JSON of its records is computed on first use. */
export function loadComplete(seed: CompleteSeed, { rules, now, randomSeed }: LoadOptions): World {
  const { plans, organizations, onDelete } = seed;
  const clock = new Clock(now);
  const { built, loaders } = loadOrganizations(plans, organizations, clock.now(), false);
  const world = new World({
    rules,
    plans: new Map(Object.entries(plans)),
    onDelete,
    organizations: built,
    clock,
    random: new SeededRandom(randomSeed),
  });
  for (const loader of loaders) loader.loadKeys(world.keys);
  return world;
}

function loadState(state: unknown, { rules, now }: LoadOptions): World {
  const parsed: StateDocument = parse(stateSchemas().stateDocument, state, 'The saved state');
  // What is stored was checked when it came, and the mock of a server that does not trim stored its white space.
  const document = restoreSpaces(parsed, state);
  const { plans, organizations, chance, windows, onDelete } = document;
  const clock = new Clock(now);
  clock.setting = document.clock;
  const { built, loaders } = loadOrganizations(plans, organizations, clock.now(), true);
  organizations.forEach((source) => {
    const organization = built.get(source.id);
    if (organization !== undefined) loadHistory(organization, source);
  });
  const limiter = new RateLimiter(rules.perMinute);
  for (const [key, times] of Object.entries(windows)) limiter.load(key, times);
  const world = new World({
    rules,
    plans: new Map(Object.entries(plans)),
    onDelete,
    organizations: built,
    clock,
    random: new SeededRandom(chance.seed, chance.drawn),
    limiter,
    audit: toTree<AuditEntry>(document.audit),
    notifications: toTree<Notification>(document.notifications),
  });
  for (const loader of loaders) loader.loadKeys(world.keys);
  return world;
}

function parse<S extends z.ZodType>(schema: S, document: unknown, whole: string): z.output<S> {
  const parsed = schema.safeParse(document);
  if (parsed.success) return parsed.data;
  const { text, path } = describeIssues(parsed.error, schema, document, whole);
  throw new SeedError(text, path);
}

function loadOrganizations(
  plans: Readonly<Record<string, Plan>>,
  organizations: readonly LoadedOrganization[],
  now: number,
  isSavedState: boolean,
): { built: Map<string, Organization>; loaders: OrganizationLoader[] } {
  const built = new Map<string, Organization>();
  const loaders = organizations.map((source, i) => {
    const path = ['organizations', i];
    if (built.has(source.id)) throw seedErrorAt([...path, 'id'], `Duplicate id "${source.id}".`);
    if (!Object.hasOwn(plans, source.plan)) {
      const known = Object.keys(plans).join(', ');
      throw seedErrorAt([...path, 'plan'], `Unknown plan "${source.plan}". Known plans: ${known}.`);
    }
    const loader = new OrganizationLoader(source, path, now, isSavedState);
    built.set(source.id, loader.load());
    return loader;
  });
  return { built, loaders };
}

/** Loads the history of a saved state: usage and operations. */
function loadHistory(organization: Organization, { usage, operations }: StateOrganization): void {
  organization.usage = usage;
  for (const { answer, ...operation } of operations) {
    const stored = answer && {
      auditRecorded: answer.auditRecorded,
      result: JSON.stringify(answer.result) ?? 'null',
    };
    organization.stored.operations.set(operation.operationId, { ...operation, answer: stored });
  }
}

function toTree<T extends { readonly id: number }>(items: readonly unknown[]): Tree<number, T> {
  const tree = Tree.ofNumbers<T>();
  for (const item of items as readonly T[]) tree.set(item.id, item);
  return tree;
}
