import { createFingerprint } from '../../changes/fingerprint.ts';
import { mapReferences } from '../file/references.ts';
import type { Step } from '../plan/plan-schema.ts';
import { parseStepReference } from '../plan/step-reference.ts';

/** Whether a create refers to a record that does not exist yet, so that its data and operation id are not known. */
export function hasOpenReference({ action, resource, data = {} }: Step): boolean {
  let isOpen = false;
  mapReferences(resource, data, (_target, value) => {
    isOpen ||= parseStepReference(value) !== undefined;
    return value;
  });
  return action === 'create' && isOpen;
}

/** Returns the text by which the journal recognizes a create, whatever the ids of the new records are it refers to. */
export function createStepFingerprint(
  organizationId: string,
  { resource, label, data = {} }: Pick<Step, 'resource' | 'label' | 'data'>,
): string {
  const marked = mapReferences(resource, data, (_target, value) =>
    parseStepReference(value) === undefined ? value : 'step',
  );
  return createFingerprint(['config create', organizationId, resource, label, marked]);
}
