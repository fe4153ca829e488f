import { declares } from '@orgchat/spec';
import type { Effect, Fault } from './schema.ts';
import { type Target, targets } from './targets.ts';

/** Why a fault can never hit, and the field that is to be mended. */
export interface Futility {
  readonly path: string;
  readonly message: string;
}

/** Whether an effect can befall a request of this kind. */
function befalls(effect: Effect, { operation, guarded }: Target): boolean {
  if (effect === 'rival-edit') return guarded === true;
  return (effect !== 'uncertain' && effect !== 'skip-audit') || operation === 'changeChat';
}

const oneOf = (values: readonly (string | undefined)[]): string => {
  const different = [...new Set(values.filter((value) => value !== undefined))];
  return different.length === 1 ? `${different[0]}` : `one of ${different.join(', ')}`;
};

/** What a field that leaves no request to hit should say, given those that are left without it. */
function remedy(name: 'operation' | 'action' | 'resource', left: readonly Target[]): string {
  const fitting = left.filter((target) => target[name] !== undefined);
  if (fitting.length > 0) return `must be ${oneOf(fitting.map((target) => target[name]))}`;
  const having = targets.filter((target) => target[name] !== undefined);
  return `can only be named where operation is ${oneOf(having.map(({ operation }) => operation))}`;
}

/** Narrows the requests of the contract to those a fault fits: undefined where there are some, or else why not. */
export function futilityOf(fault: Fault): Futility | undefined {
  let left = targets.filter((target) => befalls(fault.effect, target));
  const said = [`effect ${fault.effect}`];
  for (const name of ['operation', 'action', 'resource'] as const) {
    const wanted = fault[name];
    if (wanted === undefined) continue;
    const fitting = left.filter((target) => target[name] === wanted);
    if (fitting.length === 0) {
      return {
        path: name,
        message: `${remedy(name, left)}: no request fits ${wanted} and ${said.join(', ')}`,
      };
    }
    left = fitting;
    said.push(`${name} ${wanted}`);
  }
  if (fault.effect !== 'respond' || fault.undeclared) return undefined;
  if (left.some(({ operation }) => declares(operation, fault.status))) return undefined;
  const asked = [...new Set(left.map(({ operation }) => operation))].join(', ');
  const message = `${fault.status} is not declared by ${asked}; say undeclared: true to have it`;
  return { path: 'status', message };
}
