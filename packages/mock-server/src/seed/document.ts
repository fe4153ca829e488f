import type * as z from 'zod';
import { Chance } from '../chance.ts';
import { Clock } from '../clock.ts';
import type { Organization } from '../store/organization.ts';
import { type Rules, World } from '../world.ts';
import { SeedError } from './error.ts';
import { OrganizationLoader } from './load.ts';
import { resolveNames } from './names.ts';
import { seedDocument } from './schema.ts';

/** What a world is made with besides its data. */
export interface Surroundings {
  readonly rules: Rules;
  /** The machine's time in milliseconds. */
  readonly now: () => number;
  readonly randomSeed: number;
}

/** The world of a seed; throws a `SeedError` that says what does not fit, and where. */
export function loadSeed(seed: unknown, { rules, now, randomSeed }: Surroundings): World {
  const parsed = seedDocument.safeParse(resolveNames(seed));
  if (!parsed.success) throw errorOf(parsed.error);
  const { plans, organizations } = parsed.data;
  const loaders = organizations.map((source, i) => new OrganizationLoader(source, ['organizations', i]));
  const built = new Map<string, Organization>();
  organizations.forEach(({ id, plan }, i) => {
    if (built.has(id)) throw new SeedError('The id is given twice.', ['organizations', i, 'id']);
    if (plans[plan] === undefined)
      throw new SeedError('There is no such plan.', ['organizations', i, 'plan']);
    built.set(id, loaders[i]!.load());
  });
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

/** The first thing wrong with a document. */
export function errorOf(error: z.ZodError): SeedError {
  const issue = error.issues[0];
  return new SeedError(issue?.message ?? 'It does not fit.', issue?.path);
}
