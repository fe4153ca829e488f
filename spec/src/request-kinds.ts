import { type ChatAction, chatChange } from './endpoints/chat-changes.ts';
import { chatReadInput } from './endpoints/chat-read.ts';
import { studioReadInput } from './endpoints/studio.ts';
import { type OperationName, operationNames } from './operations.ts';

/** A kind of request of the contract, which a fault can select. */
export interface RequestKind {
  readonly operation: OperationName;
  /** Of a change. */
  readonly action?: ChatAction;
  /** What is read, or what the change changes. */
  readonly resource?: string;
  /** Whether the change names a revision, so that a rival edit can make it stale. */
  readonly guarded?: boolean;
}

type ChangeShape = (typeof chatChange.options)[number]['shape'];

/** The resources that a change can change: those of its body, or of its action. An enrollment changes an automation. */
function getResources(shape: ChangeShape): readonly string[] {
  if ('resource' in shape) return shape.resource.options;
  if ('scenarioId' in shape) return ['friend-automations'];
  if ('userId' in shape) return ['friends'];
  return [shape.action.value.slice(shape.action.value.indexOf('-') + 1)];
}

const changes = chatChange.options.flatMap(({ shape }): RequestKind[] =>
  getResources(shape).map((resource) => ({
    operation: 'changeChat',
    action: shape.action.value,
    resource,
    guarded: 'expectedRevision' in shape,
  })),
);

const reads: readonly RequestKind[] = [
  ...chatReadInput.options.map(
    ({ shape }): RequestKind => ({ operation: 'readChat', resource: shape.resource.value }),
  ),
  ...studioReadInput.options.map(
    ({ shape }): RequestKind => ({ operation: 'readStudio', resource: shape.resource.value }),
  ),
];

const selected = [...reads, ...changes];
const plain = operationNames.filter((name) => !selected.some(({ operation }) => operation === name));

/** All kinds of requests. */
export const requestKinds: readonly RequestKind[] = [
  ...plain.map((operation) => ({ operation })),
  ...selected,
];

/** The resource that an action changes, if the action alone determines it. */
const resourcesByAction = new Map<string, string>();
for (const { shape } of chatChange.options) {
  const [resource, ...others] = getResources(shape);
  if (resource !== undefined && others.length === 0) resourcesByAction.set(shape.action.value, resource);
}

/**
 * The resource that a change changes; `named` is the resource in its body, used if the action does not determine it.
 */
export const getChangedResource = (
  action: string | undefined,
  named: string | undefined,
): string | undefined => (action === undefined ? undefined : (resourcesByAction.get(action) ?? named));
