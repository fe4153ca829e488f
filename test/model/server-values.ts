import type { Database } from './model-database.ts';

/** What a server chooses by itself, out of its answer or its audit. */
export interface Observed {
  readonly id?: unknown;
  readonly revision?: unknown;
}

/** An answer that no reading of the contract allows, whatever the rest of it says. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement';
}

/**
 * The model cannot know the ids and revisions a server makes. It takes them from what it observes, and holds them
 * to the rules there are: their form (2.7, 2.8), and that none comes a second time (D55).
 */
export function fresh(database: Database, observed: Observed | undefined, what: 'id' | 'revision'): string {
  const token = observed?.[what];
  const form = what === 'revision' ? /^[0-9a-f]{64}$/ : /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  if (typeof token !== 'string' || !form.test(token)) {
    throw new Disagreement(`A ${what} was expected, and not ${JSON.stringify(token)}`);
  }
  if (database.token.findFirst({ where: { token: { equals: token } } }) !== null) {
    throw new Disagreement(`The ${what} ${token} was there before`);
  }
  database.token.create({ token });
  return token;
}
