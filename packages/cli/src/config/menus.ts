import type { Data } from '../resources/collect-data.ts';
import { pending, pendingKey } from './resolve.ts';
import { needsOf, type Step } from './step.ts';

interface Area {
  readonly action: { readonly type: string; readonly menuId?: string; readonly label: string };
}

/** Until the other menu is there, an area that switches to it sends its own label. */
function without(areas: readonly Area[], missing: (key: string) => boolean): Area[] {
  return areas.map((area) => {
    const key = area.action.menuId === undefined ? undefined : pendingKey(area.action.menuId);
    if (key === undefined || !missing(key)) return area;
    const { label } = area.action;
    return { ...area, action: { type: 'message', text: label, label } };
  });
}

/**
 * Puts every step after those that make what it refers to. Rich menus may refer to each other in a circle: then
 * one is made without the switches that lead to menus yet to be made, and gets them in a second step.
 */
export function breakCycles(steps: readonly Step[]): Step[] {
  const made = new Set<string>();
  const creates = new Set(steps.filter(({ action }) => action === 'create').map(({ key }) => key));
  const isMissing = (key: string): boolean => creates.has(key) && !made.has(key);
  const placed: Step[] = [];
  const later: Step[] = [];
  let waiting = [...steps];
  while (waiting.length > 0) {
    const free = waiting.filter((step) => !needsOf(step).some(isMissing));
    const [first] = waiting;
    if (free.length === 0 && first !== undefined) {
      const areas = (first.data?.areas ?? []) as Area[];
      const plain: Data = { ...first.data, areas: without(areas, isMissing) };
      placed.push({ ...first, data: plain });
      later.push({
        ...first,
        key: `${first.key}-again`,
        operationId: crypto.randomUUID(),
        action: 'update',
        id: pending(first.key),
        // The record as its first step leaves it is what this one is made from.
        expectedRevision: pending(first.key),
        expectedLabel: first.label,
        fields: [],
      });
      made.add(first.key);
      waiting = waiting.slice(1);
    } else {
      for (const step of free) {
        placed.push(step);
        made.add(step.key);
      }
      waiting = waiting.filter((step) => !free.includes(step));
    }
  }
  return [...placed, ...later];
}
