import { getChangedResource, isObject, type OperationName } from '@orgchat/spec';

/** What faults are matched with: what a request asks for, before it is validated. */
export interface FaultTarget {
  readonly operation: OperationName;
  /** The key as it was sent, valid or not. */
  readonly key: string | undefined;
  readonly action: string | undefined;
  readonly resource: string | undefined;
  readonly operationId: string | undefined;
}

const property = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Creates the fault target of a request; `body` is its JSON object, or undefined if it has none. */
export function createFaultTarget(
  operation: OperationName,
  key: string | undefined,
  body: unknown,
): FaultTarget {
  if (operation !== 'changeChat') {
    const resource = text(property(body, 'resource'));
    return { operation, key, action: undefined, resource, operationId: undefined };
  }
  const change = property(body, 'change');
  const action = text(property(change, 'action'));
  const operationId = text(property(body, 'operationId'));
  const resource = getChangedResource(action, text(property(change, 'resource')));
  return { operation, key, action, resource, operationId };
}
