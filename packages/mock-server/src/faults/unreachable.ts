import { declares, type RequestKind, requestKinds } from '@orgchat/spec';
import type { Effect, Fault } from './schema.ts';

/** Why a fault can never hit a request, and the field to change. */
export interface UnreachableFault {
  readonly path: string;
  readonly message: string;
}

type RequestFilter = (kind: RequestKind) => boolean;
const anyRequest: RequestFilter = () => true;
const chatChange: RequestFilter = ({ operation }) => operation === 'changeChat';
const guardedChange: RequestFilter = ({ guarded }) => guarded === true;

/** The requests that each effect can apply to. */
const affects: Readonly<Record<Effect, RequestFilter>> = {
  'drop-request': anyRequest,
  'lose-response': anyRequest,
  'cut-response': anyRequest,
  delay: anyRequest,
  respond: anyRequest,
  uncertain: chatChange,
  'skip-audit': chatChange,
  'rival-edit': guardedChange,
};

const listAlternatives = (values: readonly (string | undefined)[]): string => {
  const different = [...new Set(values.filter((value) => value !== undefined))];
  return different.length === 1 ? `${different[0]}` : `one of ${different.join(', ')}`;
};

/** The values of a field with which some request would match. */
function suggestValues(name: 'operation' | 'action' | 'resource', kinds: readonly RequestKind[]): string {
  const matching = kinds.filter((target) => target[name] !== undefined);
  if (matching.length > 0) return `must be ${listAlternatives(matching.map((target) => target[name]))}`;
  const kindsWithField = requestKinds.filter((target) => target[name] !== undefined);
  return `can only be set if operation is ${listAlternatives(kindsWithField.map(({ operation }) => operation))}`;
}

/** Explains why no request of the contract can match a fault; undefined if one can. */
export function explainUnreachable(fault: Fault): UnreachableFault | undefined {
  let kinds = requestKinds.filter(affects[fault.effect]);
  const criteria = [`effect ${fault.effect}`];
  for (const name of ['operation', 'action', 'resource'] as const) {
    const value = fault[name];
    if (value === undefined) continue;
    const matching = kinds.filter((target) => target[name] === value);
    if (matching.length === 0) {
      return {
        path: name,
        message: `${suggestValues(name, kinds)}: no request matches ${value} and ${criteria.join(', ')}`,
      };
    }
    kinds = matching;
    criteria.push(`${name} ${value}`);
  }
  if (fault.effect !== 'respond' || fault.undeclared) return undefined;
  if (kinds.some(({ operation }) => declares(operation, fault.status))) return undefined;
  const endpoints = [...new Set(kinds.map(({ operation }) => operation))].join(', ');
  const message = `${fault.status} is not a declared status of ${endpoints}; set undeclared: true to send it anyway`;
  return { path: 'status', message };
}
