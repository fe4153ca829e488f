import type { OperationName } from '@orgchat/spec';
import { resourceOfChange } from './targets.ts';

/** What faults are targeted by: what can be seen of a request before it is checked. */
export interface Aim {
  readonly operation: OperationName;
  /** The key as it was sent, valid or not. */
  readonly key: string | undefined;
  readonly action: string | undefined;
  readonly resource: string | undefined;
  readonly operationId: string | undefined;
}

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Looks at a request of an operation; `body` is its JSON, or undefined where it has none. */
export function aimOf(operation: OperationName, key: string | undefined, body: unknown): Aim {
  if (operation !== 'changeChat') {
    const resource = text(property(body, 'resource'));
    return { operation, key, action: undefined, resource, operationId: undefined };
  }
  const change = property(body, 'change');
  const action = text(property(change, 'action'));
  const operationId = text(property(body, 'operationId'));
  const resource = resourceOfChange(action, text(property(change, 'resource')));
  return { operation, key, action, resource, operationId };
}
