import type { Database } from './model-database.ts';

/** Values that the server chooses, read from its answer or its audit. */
export interface ServerValues {
  readonly id?: unknown;
  readonly revision?: unknown;
}

/** An error for an answer that the contract never allows. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement';
}

/**
 * The model cannot predict the ids and revisions that the server makes. It takes them from the answers and checks
 * their rules: their form (2.7, 2.8), and that none is used twice (D55).
 */
export function fresh(
  database: Database,
  observed: ServerValues | undefined,
  what: 'id' | 'revision',
): string {
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
