import { declares, type RequestKind, requestKinds } from '@orgchat/spec';
import type { Effect, Fault } from './schema.ts';

/** Why a fault can never hit a request, and the field to change. */
export interface UnreachableFault {
  readonly path: string;
  readonly message: string;
}

/** Whether an effect can apply to a request of this kind. */
function canAffect(effect: Effect, { operation, guarded }: RequestKind): boolean {
  if (effect === 'rival-edit') return guarded === true;
  return (effect !== 'uncertain' && effect !== 'skip-audit') || operation === 'changeChat';
}

const oneOf = (values: readonly (string | undefined)[]): string => {
  const different = [...new Set(values.filter((value) => value !== undefined))];
  return different.length === 1 ? `${different[0]}` : `one of ${different.join(', ')}`;
};

/** The values of a field with which some request would match. */
function remedy(name: 'operation' | 'action' | 'resource', left: readonly RequestKind[]): string {
  const fitting = left.filter((target) => target[name] !== undefined);
  if (fitting.length > 0) return `must be ${oneOf(fitting.map((target) => target[name]))}`;
  const having = requestKinds.filter((target) => target[name] !== undefined);
  return `can only be set if operation is ${oneOf(having.map(({ operation }) => operation))}`;
}

/** Explains why no request of the contract can match a fault; undefined if one can. */
export function explainUnreachable(fault: Fault): UnreachableFault | undefined {
  let left = requestKinds.filter((target) => canAffect(fault.effect, target));
  const said = [`effect ${fault.effect}`];
  for (const name of ['operation', 'action', 'resource'] as const) {
    const wanted = fault[name];
    if (wanted === undefined) continue;
    const fitting = left.filter((target) => target[name] === wanted);
    if (fitting.length === 0) {
      return {
        path: name,
        message: `${remedy(name, left)}: no request matches ${wanted} and ${said.join(', ')}`,
      };
    }
    left = fitting;
    said.push(`${name} ${wanted}`);
  }
  if (fault.effect !== 'respond' || fault.undeclared) return undefined;
  if (left.some(({ operation }) => declares(operation, fault.status))) return undefined;
  const asked = [...new Set(left.map(({ operation }) => operation))].join(', ');
  const message = `${fault.status} is not a declared status of ${asked}; set undeclared: true to send it anyway`;
  return { path: 'status', message };
}
