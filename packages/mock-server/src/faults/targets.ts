import {
  type ChatAction,
  chatChange,
  chatReadInput,
  type OperationName,
  operationNames,
  studioReadInput,
} from '@orgchat/spec';

/** A kind of request that the contract has: what a fault can be aimed at. */
export interface Target {
  readonly operation: OperationName;
  /** Of a change. */
  readonly action?: ChatAction;
  /** What is read, or what the change changes. */
  readonly resource?: string;
  /** A change that names the revision it was made from, so that a rival can come before it. */
  readonly guarded?: boolean;
}

type ChangeShape = (typeof chatChange.options)[number]['shape'];

/** What a change changes: what its body says, or else its action. An enrolment begins an automation of a friend. */
function resourcesOf(shape: ChangeShape): readonly string[] {
  if ('resource' in shape) return shape.resource.options;
  if ('scenarioId' in shape) return ['friend-automations'];
  if ('userId' in shape) return ['friends'];
  return [shape.action.value.slice(shape.action.value.indexOf('-') + 1)];
}

const changes = chatChange.options.flatMap(({ shape }): Target[] =>
  resourcesOf(shape).map((resource) => ({
    operation: 'changeChat',
    action: shape.action.value,
    resource,
    guarded: 'expectedRevision' in shape,
  })),
);

const reads: readonly Target[] = [
  ...chatReadInput.options.map(
    ({ shape }): Target => ({ operation: 'readChat', resource: shape.resource.value }),
  ),
  ...studioReadInput.options.map(
    ({ shape }): Target => ({ operation: 'readStudio', resource: shape.resource.value }),
  ),
];

const selected = [...reads, ...changes];
const plain = operationNames.filter((name) => !selected.some(({ operation }) => operation === name));

/** Every kind of request there is. */
export const targets: readonly Target[] = [...plain.map((operation) => ({ operation })), ...selected];

/** The resource an action changes, where the action alone says it. */
const resourceOfAction = new Map<string, string>();
for (const { shape } of chatChange.options) {
  const [resource, ...others] = resourcesOf(shape);
  if (resource !== undefined && others.length === 0) resourceOfAction.set(shape.action.value, resource);
}

/** The resource a change changes; `named` is what its body says, which counts where its action leaves it open. */
export const resourceOfChange = (
  action: string | undefined,
  named: string | undefined,
): string | undefined => (action === undefined ? undefined : (resourceOfAction.get(action) ?? named));
