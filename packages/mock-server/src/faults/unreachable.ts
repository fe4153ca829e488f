import { declares, deletableResources, type RequestKind, requestKinds } from '@orgchat/spec';
import { listAlternatives, narrowKinds, type Unreachable } from '../input-checks/narrow-kinds.ts';
import { canRivalEdit } from './rival-edit.ts';
import type { Effect, Fault, FaultOf } from './schema.ts';

type RequestFilter = (kind: RequestKind) => boolean;
const anyRequest: RequestFilter = () => true;
const chatChange: RequestFilter = ({ operation }) => operation === 'changeChat';
const guardedChange: RequestFilter = ({ guarded }) => guarded === true;

/** The requests that each effect can apply to. */
const affects: Readonly<Record<Effect, RequestFilter>> = {
  'drop-request': anyRequest,
  'lose-response': anyRequest,
  'cut-response': anyRequest,
  'fail-response': anyRequest,
  delay: anyRequest,
  respond: anyRequest,
  uncertain: chatChange,
  'not-applied': chatChange,
  'skip-audit': chatChange,
  'rival-edit': guardedChange,
};

/** Whether a fault has the status of the answer, which the operation has to declare. */
export const setsStatus = (fault: Fault): fault is FaultOf<'respond' | 'fail-response'> =>
  fault.effect === 'respond' || fault.effect === 'fail-response';

/** Explains why no request of the contract can match a fault; undefined if one can. */
export function explainUnreachable(fault: Fault): Unreachable | undefined {
  const affected = requestKinds.filter(affects[fault.effect]);
  const { kinds, unreachable } = narrowKinds(affected, fault, [`effect ${fault.effect}`]);
  if (unreachable !== undefined) return unreachable;
  if (fault.effect === 'rival-edit') return explainRivalEdit(fault, kinds);
  if (!setsStatus(fault) || fault.undeclared) return undefined;
  if (kinds.some(({ operation }) => declares(operation, fault.status))) return undefined;
  const endpoints = [...new Set(kinds.map(({ operation }) => operation))].join(', ');
  const message = `${fault.status} is not a declared status of ${endpoints}; set undeclared: true to send it anyway`;
  return { path: 'status', message };
}

/** Explains why a rival can edit the record of no request as a fault says. */
function explainRivalEdit(
  fault: FaultOf<'rival-edit'>,
  kinds: readonly RequestKind[],
): Unreachable | undefined {
  if (fault.data !== undefined && fault.delete === true)
    return { path: 'delete', message: 'cannot be true together with data: a rival edits or deletes' };
  if (kinds.some(({ resource }) => canRivalEdit(fault, resource))) return undefined;
  if (fault.delete === true)
    return { path: 'delete', message: `can only be true for ${listAlternatives(deletableResources)}` };
  const resources = [...new Set(kinds.map(({ resource }) => resource))].join(', ');
  return { path: 'data', message: `has fields or values that no record of ${resources} can have` };
}
