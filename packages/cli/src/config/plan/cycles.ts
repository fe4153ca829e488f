import type { Data } from '../../resources/collect-data.ts';
import { compare, fieldsOf } from './compare.ts';
import { needsOf, type Step } from './document.ts';
import { pending, pendingKey } from './pending.ts';

interface Area {
  readonly action: { readonly type: string; readonly menuId?: string; readonly label: string };
}

/**
 * The data without what can be put in later: an area that switches to a menu that is not there yet sends its own
 * label, and a link enters nobody into a scenario.
 */
function loosened({ resource, data = {} }: Step, isMissing: (key: string) => boolean): Data {
  const leadsNowhere = (value: unknown): boolean => {
    const key = typeof value === 'string' ? pendingKey(value) : undefined;
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

/** A create of other data. */
const withData = (step: Step, data: Data): Step => ({
  ...step,
  data,
  fields: fieldsOf(data, step.origin, (value) => ({ from: null, to: value })),
});

/** Gives a record what its first step had to leave out. */
function secondStep(step: Step, first: Step): Step {
  const { formerId: _, ...rest } = step;
  return {
    ...rest,
    key: `${step.key}-again`,
    operationId: crypto.randomUUID(),
    action: 'update',
    id: pending(step.key),
    // The record as its first step leaves it is what this one is made from.
    expectedRevision: pending(step.key),
    expectedLabel: step.label,
    fields: compare(first.data ?? {}, step.data ?? {}, undefined).map((field) => ({
      ...field,
      origin: step.origin,
    })),
  };
}

/** Whether a step only completes what another one made. */
export const isSecondStep = ({ key }: Step): boolean => key.endsWith('-again');

/**
 * Puts every step after those that make what it refers to. Rich menus may refer to each other in a circle, and a
 * link to a scenario whose messages name the link: then one is made without that, and gets it in a second step.
 */
export function breakCycles(steps: readonly Step[]): Step[] {
  const made = new Set<string>();
  const creates = new Set(steps.filter(({ action }) => action === 'create').map(({ key }) => key));
  const isMissing = (key: string): boolean => creates.has(key) && !made.has(key);
  const isFree = (step: Step): boolean => !needsOf(step).some(isMissing);
  const placed: Step[] = [];
  const later: Step[] = [];
  let waiting = [...steps];
  const place = (step: Step): void => {
    placed.push(step);
    made.add(step.key);
    waiting = waiting.filter(({ key }) => key !== step.key);
  };
  while (waiting.length > 0) {
    const free = waiting.filter(isFree);
    free.forEach(place);
    if (free.length > 0) continue;
    const first = waiting
      .filter(({ action }) => action === 'create')
      .map((step) => ({ step, plain: withData(step, loosened(step, isMissing)) }))
      .find(({ plain }) => isFree(plain));
    // Nothing else of the contract can refer in a circle.
    if (first === undefined) throw new Error('records refer to each other in a circle that cannot be opened');
    place(first.plain);
    later.push(secondStep(first.step, first.plain));
  }
  return [...placed, ...later];
}
