import { chatChange, isObject, operations, patterns, type RequestKind } from '@orgchat/spec';
import type * as z from 'zod';
import type { Unreachable } from '../input-checks/narrow-kinds.ts';
import type { Criteria } from './compare-request.ts';
import { explainImpossible } from './possible-body.ts';

/* Why no request can have a part of a body. */

/** Explains a part of the body that is not what another criterion says: the log reads both from the body. */
export function explainContradiction(
  { action, operationId, recordId, resource, body }: Criteria,
  kinds: readonly RequestKind[],
): Unreachable | undefined {
  const change = isObject(body?.change) ? body.change : {};
  const differs = (sent: unknown, expected: string | undefined): boolean =>
    expected !== undefined && typeof sent === 'string' && sent.toLowerCase() !== expected.toLowerCase();
  if (action !== undefined && typeof change.action === 'string' && change.action !== action)
    return { path: 'body.change.action', message: `must be ${action}, as action` };
  if (differs(body?.operationId, operationId))
    return { path: 'body.operationId', message: `must be ${operationId}, as operationId` };
  // A change that is refused may have any resource beside its action.
  if (kinds.every(({ operation }) => operation !== 'changeChat') && differs(body?.resource, resource))
    return { path: 'body.resource', message: `must be ${resource}, as resource` };
  if (action === 'delete-configuration' && differs(change.resource, resource))
    return { path: 'body.change.resource', message: `must be ${resource}, as resource` };
  if (differs(change.id, recordId))
    return { path: 'body.change.id', message: `must be ${recordId}, as recordId` };
  return undefined;
}

const successes = new Set<number>(Object.values(operations).map(({ success }) => success));

/** Explains a body that is not valid, if the criteria select only requests whose body was accepted. */
export function explainValidBody(
  { applied, recordId, status = 0, operationId, body }: Criteria,
  kinds: readonly RequestKind[],
): Unreachable | undefined {
  const isChange = applied === true || recordId !== undefined;
  if (!isChange && !successes.has(status)) return undefined;
  const accepted = kinds.filter(({ operation }) =>
    isChange ? operations[operation].scope === 'write' : operations[operation].success === status,
  );
  if (operationId !== undefined && !patterns.uuid.test(operationId))
    return { path: 'operationId', message: 'must be a UUID: a change with another one is refused' };
  // The body of a GET is not read.
  if (body === undefined || accepted.some(({ operation }) => operation === 'getAccount')) return undefined;
  return explainImpossible(listBodies(accepted), body);
}

/** The schemas of the bodies of some kinds of requests. */
function listBodies(kinds: readonly RequestKind[]): readonly z.core.$ZodType[] {
  const has = (name: RequestKind['operation']): boolean => kinds.some(({ operation }) => operation === name);
  const actions = new Set(kinds.map(({ action }) => action));
  const { request } = operations.changeChat;
  return [
    ...(has('addSeoKeywords') ? [operations.addSeoKeywords.request] : []),
    ...(has('readChat') ? [operations.readChat.request] : []),
    ...(has('readStudio') ? [operations.readStudio.request] : []),
    ...chatChange.options
      .filter(({ shape }) => actions.has(shape.action.value))
      .map((change) => request.extend({ change })),
  ];
}
