import { invalid } from '../control-input/control-error.ts';
import { parseControl } from '../control-input/parse-control.ts';
import type { ArmedFault, Faults } from './faults.ts';
import { faultInput } from './schema.ts';
import { explainUnreachable } from './unreachable.ts';

/** What arming a fault needs of a world. */
interface FaultedWorld {
  readonly faults: Faults;
  readonly keys: { get(key: string): object | undefined };
  listKeys(): readonly { readonly name: string }[];
}

/**
 * Arms a fault in a world. Throws a `ControlError` 400 if no request of the contract could ever match it, or if its key
 * is unknown, which is probably a mistake.
 */
export function armFault(world: FaultedWorld, value: unknown): ArmedFault {
  const fault = parseControl(faultInput(), value);
  const unreachable = explainUnreachable(fault);
  if (unreachable !== undefined) throw invalid(`${unreachable.path} ${unreachable.message}.`);
  if (fault.key !== undefined && world.keys.get(fault.key) === undefined) {
    const names = world.listKeys().map(({ name }) => name);
    throw invalid(
      `key must be the text of a key of this mock server. Its keys are named ${names.join(', ')}.`,
    );
  }
  return world.faults.arm(fault);
}
