import { invalid, unknownKey } from '../input-checks/control-error.ts';
import { parseControl } from '../input-checks/parse-control.ts';
import type { Organization } from '../records/organization.ts';
import type { ArmedFault, Faults } from './faults.ts';
import { faultInput } from './schema.ts';
import { explainUnreachable } from './unreachable.ts';

/** What arming a fault needs of a world. */
interface FaultedWorld {
  readonly faults: Faults;
  readonly keys: { get(key: string): object | undefined };
  readonly organizations: ReadonlyMap<string, Pick<Organization, 'accountNumber'>>;
  listKeys(): readonly { readonly name: string }[];
}

/** Refuses an edit that moves a record to an account that does not exist: it would then belong to all accounts. */
function requireAccounts(
  { organizations }: FaultedWorld,
  data: Readonly<Record<string, unknown>> = {},
): void {
  const named = [data.accountId, data.accountIds].flat().filter((id) => typeof id === 'string');
  for (const id of named) {
    const isKnown = [...organizations.values()].some(
      (organization) => organization.accountNumber(id.toLowerCase()) !== undefined,
    );
    if (!isKnown) throw invalid(`data refers to an account that does not exist: ${id}.`);
  }
}

/**
 * Arms a fault in a world. Throws a `ControlError` 400 if no request of the contract could ever match it, or if its key
 * is unknown, which is probably a mistake.
 */
export function armFault(world: FaultedWorld, value: unknown): ArmedFault {
  const fault = parseControl(faultInput(), value);
  const unreachable = explainUnreachable(fault);
  if (unreachable !== undefined) throw invalid(`${unreachable.path} ${unreachable.message}.`);
  if (fault.key !== undefined && world.keys.get(fault.key) === undefined) throw unknownKey(world);
  if (fault.effect === 'rival-edit') requireAccounts(world, fault.data);
  return world.faults.arm(fault);
}
