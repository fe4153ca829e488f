import { invalid, parseControl } from '../control/input.ts';
import type { World } from '../world.ts';
import type { ArmedFault } from './faults.ts';
import { futilityOf } from './futility.ts';
import { faultInput } from './schema.ts';

/**
 * Arms a fault in a world. Throws a `ControlError` 400 for one that no request of the contract could meet, and for one
 * of a key that is not known there, which is rather a slip than meant.
 */
export function armFault(world: World, value: unknown): ArmedFault {
  const fault = parseControl(faultInput, value);
  const futile = futilityOf(fault);
  if (futile !== undefined) throw invalid(`${futile.path} ${futile.message}.`);
  if (fault.key !== undefined && world.keys.get(fault.key) === undefined) {
    const names = world.listKeys().map(({ name }) => name);
    throw invalid(`key is none that this mock knows. The keys it knows are named: ${names.join(', ')}.`);
  }
  return world.faults.arm(fault);
}
