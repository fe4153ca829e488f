import type { Data } from '../../resources/fields.ts';
import { compare, createFieldChanges } from './compare-data.ts';
import { findRequiredSteps, parseStepReference, type Step, toStepReference } from './plan-schema.ts';

interface Area {
  readonly action: { readonly type: string; readonly menuId?: string; readonly label: string };
}

/**
 * Returns the data without references that can be added later. An area that switches to a missing menu sends its own
 * label, and a link enrolls nobody in a scenario.
 */
function withoutForwardReferences({ resource, data = {} }: Step, isMissing: (key: string) => boolean): Data {
  const leadsNowhere = (value: unknown): boolean => {
    const key = typeof value === 'string' ? parseStepReference(value) : undefined;
    return key !== undefined && isMissing(key);
  };
  if (resource === 'links') return leadsNowhere(data.scenarioId) ? { ...data, scenarioId: null } : data;
  if (resource !== 'rich-menus') return data;
  const areas = (data.areas as readonly Area[]).map((area) => {
    const { label, menuId } = area.action;
    return leadsNowhere(menuId) ? { ...area, action: { type: 'message', text: label, label } } : area;
  });
  return { ...data, areas };
}

/** Replaces the data of a create. */
const withData = (step: Step, data: Data): Step => ({
  ...step,
  data,
  fields: createFieldChanges(data, step.origin, (value) => ({ from: null, to: value })),
});

/** Creates the step that adds the references that a create had to leave out. */
function createFollowUpStep(step: Step, first: Step): Step {
  const { formerId: _, ...rest } = step;
  return {
    ...rest,
    key: `${step.key}-follow-up`,
    followsUp: step.key,
    operationId: crypto.randomUUID(),
    action: 'update',
    id: toStepReference(step.key),
    // The revision that the create returns.
    expectedRevision: toStepReference(step.key),
    expectedLabel: step.label,
    fields: compare(step.resource, first.data ?? {}, step.data ?? {}, undefined).map((field) => ({
      ...field,
      origin: step.origin,
    })),
  };
}

/**
 * Orders steps after those that create their references. Rich menus may refer to each other in a cycle, and so may a
 * link and a scenario. One of them is then created without the reference and completed by a second step.
 */
export function breakCycles(steps: readonly Step[]): Step[] {
  const created = new Set<string>();
  const creates = new Set(steps.filter(({ action }) => action === 'create').map(({ key }) => key));
  const isMissing = (key: string): boolean => creates.has(key) && !created.has(key);
  const isFree = (step: Step): boolean => !findRequiredSteps(step).some(isMissing);
  const placed: Step[] = [];
  const later: Step[] = [];
  let waiting = [...steps];
  const addStep = (step: Step): void => {
    placed.push(step);
    created.add(step.key);
    waiting = waiting.filter(({ key }) => key !== step.key);
  };
  while (waiting.length > 0) {
    const free = waiting.filter(isFree);
    free.forEach(addStep);
    if (free.length > 0) continue;
    const first = waiting
      .filter(({ action }) => action === 'create')
      .map((step) => ({ step, plain: withData(step, withoutForwardReferences(step, isMissing)) }))
      .find(({ plain }) => isFree(plain));
    // Nothing else of the contract can refer in a circle.
    if (first === undefined)
      throw new Error('records refer to each other in a cycle that cannot be resolved');
    addStep(first.plain);
    later.push(createFollowUpStep(first.step, first.plain));
  }
  return [...placed, ...later];
}
