import type { FaultInput } from '@orgchat/mock-server';
import type { Json } from '../model/resources.ts';
import type { Draw } from '../support/chance.ts';
import { keyOf, visitorsAWorld } from './seed.ts';

/** A status that no operation declares, and so can only be a fault's. */
export const undeclaredStatus = 418;

/** A fault by chance, aimed more or less closely. */
export function faultOf(draw: Draw): FaultInput {
  const often = { after: draw.below(4), times: draw.of([1, 1, 2, 5]) };
  const aim = {
    ...often,
    ...draw.of<Partial<FaultInput>>([
      {},
      { operation: 'changeChat' },
      { operation: 'readChat' },
      { action: 'create-tags' },
      { resource: 'tags' },
      { key: keyOf('writer', draw.below(visitorsAWorld)) },
    ]),
  };
  const resolve = draw.of(['never' as const, { afterRequests: 1 }, { afterMs: 5 }]);
  return draw.of<() => FaultInput>([
    () => ({ ...aim, effect: 'drop-request' }),
    () => ({ ...aim, effect: 'lose-response' }),
    () => ({ ...aim, effect: 'cut-response' }),
    () => ({ ...aim, effect: 'delay', delayMs: draw.of([0, 5, 200]) }),
    () => ({ ...aim, effect: 'respond', status: draw.of([429, 500]), retryAfter: '0' }),
    () => ({ ...often, operation: 'changeChat', effect: 'respond', status: draw.of([400, 409, 502]) }),
    () => ({
      ...often,
      operation: 'getAccount',
      effect: 'respond',
      status: undeclaredStatus,
      undeclared: true,
    }),
    () => ({ ...often, effect: 'uncertain', applied: draw.percent(50), resolve }),
    () => ({
      ...often,
      effect: 'uncertain',
      applied: draw.percent(50),
      resolve,
      answer: draw.of([500, 502]),
    }),
    () => ({ ...often, effect: 'skip-audit' }),
    () => ({ ...often, effect: 'rival-edit' }),
  ])();
}

/** What the faults of a world did to answers: how many they broke, and how many they gave an undeclared status. */
export function toll(faults: readonly Json[]): { readonly broken: number; readonly undeclared: number } {
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
