import type { FaultInput } from '@orgchat/mock-server';
import type { Json } from '../../models/reference-model/resources.ts';
import type { Random } from '../../test-support/random.ts';
import { clientsPerWorld, getKey } from './seed.ts';

/** A status that no operation declares, so only a fault can set it. */
export const undeclaredStatus = 418;

/** A random fault. */
export function randomFault(random: Random): FaultInput {
  const often = { after: random.below(4), times: random.pick([1, 1, 2, 5]) };
  const aim = {
    ...often,
    ...random.pick<Partial<FaultInput>>([
      {},
      { operation: 'changeChat' },
      { operation: 'readChat' },
      { action: 'create-tags' },
      { resource: 'tags' },
      { key: getKey('writer', random.below(clientsPerWorld)) },
    ]),
  };
  const resolve = random.pick(['never' as const, { afterRequests: 1 }, { afterMs: 5 }]);
  return random.pick<() => FaultInput>([
    () => ({ ...aim, effect: 'drop-request' }),
    () => ({ ...aim, effect: 'lose-response' }),
    () => ({ ...aim, effect: 'cut-response' }),
    () => ({ ...aim, effect: 'delay', delayMs: random.pick([0, 5, 200]) }),
    () => ({ ...aim, effect: 'respond', status: random.pick([429, 500]), retryAfter: '0' }),
    () => ({ ...often, operation: 'changeChat', effect: 'respond', status: random.pick([400, 409, 502]) }),
    () => ({
      ...often,
      operation: 'getAccount',
      effect: 'respond',
      status: undeclaredStatus,
      undeclared: true,
    }),
    () => ({ ...often, effect: 'uncertain', applied: random.percent(50), resolve }),
    () => ({
      ...often,
      effect: 'uncertain',
      applied: random.percent(50),
      resolve,
      answer: random.pick([500, 502]),
    }),
    () => ({ ...often, effect: 'skip-audit' }),
    () => ({ ...often, effect: 'rival-edit' }),
  ])();
}

/** Counts answers that faults broke, and answers with an undeclared status. */
export function countFaultHits(faults: readonly Json[]): {
  readonly broken: number;
  readonly undeclared: number;
} {
  let broken = 0;
  let undeclared = 0;
  for (const { effect, hits, status, answer } of faults) {
    const count = (hits as readonly unknown[]).length;
    const breaks =
      effect === 'drop-request' ||
      effect === 'lose-response' ||
      effect === 'cut-response' ||
      (effect === 'uncertain' && (answer === undefined || answer === 'reset'));
    if (breaks) broken += count;
    if (effect === 'respond' && status === undeclaredStatus) undeclared += count;
  }
  return { broken, undeclared };
}
