import { listNames, placeOf } from '@orgchat/spec';
import type * as z from 'zod';
import { Chance } from '../chance.ts';
import { Clock } from '../clock.ts';
import { Limiter } from '../limiter.ts';
import { type StateDocument, type StateOrganization, stateSchemas } from '../state/schema.ts';
import type { Organization } from '../store/organization.ts';
import { Tree } from '../store/tree.ts';
import { type AuditEntry, type Notification, type Plan, type Rules, World } from '../world.ts';
import { SeedError } from './error.ts';
import { OrganizationLoader } from './load.ts';
import { resolveNames } from './names.ts';
import { type CompleteSeed, type SeedOrganization, seedSchemas } from './schema.ts';

/** What a world is made with besides its data. */
export interface Surroundings {
  readonly rules: Rules;
  /** The machine's time in milliseconds. */
  readonly now: () => number;
  readonly randomSeed: number;
}

/** The world of a seed or of a saved state; throws a `SeedError` that says what does not fit, and where. */
export function loadDocument(document: unknown, surroundings: Surroundings): World {
  const world =
    formatOf(document) === 'orgchat-state'
      ? loadState(document, surroundings)
      : loadSeed(document, surroundings);
  for (const organization of world.organizations.values()) seal(organization);
  return world;
}

/** Makes JSON and revision of every record, so that no request pays for it. */
function seal({ stored: { configurations, friends } }: Organization): void {
  for (const collection of [...Object.values(configurations), friends]) {
    for (const entry of collection.values()) void entry.json;
  }
}

/** Which of the two formats a document says it has; throws a `SeedError` if it has neither. */
function formatOf(document: unknown): 'orgchat-seed' | 'orgchat-state' {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new SeedError('A seed or a saved state must be an object with "organizations".');
  }
  if ('format' in document) {
    const { format } = document;
    if (format === 'orgchat-seed' || format === 'orgchat-state') return format;
    const given =
      typeof format === 'string' ? `"${format.slice(0, 50)}"` : `a value of type ${typeof format}`;
    const problem = `must be "orgchat-state" in a saved state, and "orgchat-seed" or nothing in a seed, but is ${given}.`;
    throw new SeedError(problem, ['format']);
  }
  if ('organizations' in document) return 'orgchat-seed';
  throw new SeedError('This is neither a seed nor a saved state: it has no "organizations".');
}

const loadSeed = (seed: unknown, surroundings: Surroundings): World =>
  loadComplete(parse(seedSchemas().seedDocument, resolveNames(seed)), surroundings);

/** The world of a seed that is known to be complete and valid. Its records are sealed when they are asked for. */
export function loadComplete(seed: CompleteSeed, { rules, now, randomSeed }: Surroundings): World {
  const { plans, organizations } = seed;
  const { built, loaders } = loadOrganizations(plans, organizations, false);
  const world = new World({
    rules,
    plans: new Map(Object.entries(plans)),
    organizations: built,
    clock: new Clock(now),
    chance: new Chance(randomSeed),
  });
  for (const loader of loaders) loader.loadKeys(world.keys);
  return world;
}

function loadState(state: unknown, { rules, now }: Surroundings): World {
  const document: StateDocument = parse(stateSchemas().stateDocument, state);
  const { plans, organizations, chance, windows } = document;
  const { built, loaders } = loadOrganizations(plans, organizations, true);
  organizations.forEach((source) => {
    const organization = built.get(source.id);
    if (organization !== undefined) loadHistory(organization, source);
  });
  const clock = new Clock(now);
  clock.setting = document.clock;
  const limiter = new Limiter(rules.perMinute);
  for (const [key, times] of Object.entries(windows)) limiter.load(key, times);
  const world = new World({
    rules,
    plans: new Map(Object.entries(plans)),
    organizations: built,
    clock,
    chance: new Chance(chance.seed, chance.drawn),
    limiter,
    audit: byId<AuditEntry>(document.audit),
    notifications: byId<Notification>(document.notifications),
  });
  for (const loader of loaders) loader.loadKeys(world.keys);
  return world;
}

function parse<S extends z.ZodType>(schema: S, document: unknown): z.output<S> {
  const parsed = schema.safeParse(document);
  if (parsed.success) return parsed.data;
  const [first, ...others] = parsed.error.issues;
  if (first === undefined) throw parsed.error;
  const told = others.slice(0, maxOthers).map((issue) => `${placeOf(issue.path)}: ${problemOf(issue)}`);
  const rest = others.length - told.length;
  const more = rest > 0 ? [`and ${rest} more problems`] : [];
  throw new SeedError([problemOf(first), ...told, ...more].join('; '), first.path);
}

/** Problems that a message tells beside the first; more than these are only counted. */
const maxOthers = 9;

const problemOf = (issue: z.core.$ZodIssue): string =>
  issue.code === 'unrecognized_keys' ? `Unknown fields: ${listNames(issue.keys)}` : issue.message;

function loadOrganizations(
  plans: Readonly<Record<string, Plan>>,
  organizations: readonly SeedOrganization[],
  arrived: boolean,
): { built: Map<string, Organization>; loaders: OrganizationLoader[] } {
  const built = new Map<string, Organization>();
  const loaders = organizations.map((source, i) => {
    const path = ['organizations', i];
    if (built.has(source.id)) throw new SeedError('The id is given twice.', [...path, 'id']);
    if (!Object.hasOwn(plans, source.plan)) throw new SeedError('There is no such plan.', [...path, 'plan']);
    const loader = new OrganizationLoader(source, path, arrived);
    built.set(source.id, loader.load());
    return loader;
  });
  return { built, loaders };
}

/** What only running brings. */
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

function byId<T extends { readonly id: number }>(items: readonly unknown[]): Tree<number, T> {
  const tree = Tree.ofNumbers<T>();
  for (const item of items as readonly T[]) tree.set(item.id, item);
  return tree;
}
