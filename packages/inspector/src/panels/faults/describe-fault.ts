import type { ArmedFault } from '../../control-api/types.ts';

/** Fields that an entry shows elsewhere. */
const shownFields = new Set(['id', 'effect', 'seen', 'remaining', 'hits']);

/** Values that say nothing, because every fault has them unless a person chose another. */
const defaults: Readonly<Record<string, unknown>> = {
  after: 0,
  probability: 1,
  times: 1,
  undeclared: false,
};

/** Which requests a fault hits and what it does to them, as names and values, without what nobody chose. */
export function describeFault(fault: ArmedFault): readonly (readonly [string, string])[] {
  return Object.entries(fault)
    .filter(([name, value]) => !shownFields.has(name) && value !== defaults[name])
    .filter(([name, value]) => !(fault.effect === 'delay' && name === 'applied' && value === false))
    .map(([name, value]) => [name, describeValue(name, value)] as const);
}

function describeValue(name: string, value: unknown): string {
  if (name === 'delayMs' && typeof value === 'object') {
    const { min, max } = value as { readonly min: number; readonly max: number };
    return `${min} to ${max}`;
  }
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([field, inner]) => `${field} ${inner}`)
    .join(', ');
}
