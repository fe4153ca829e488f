import { invalid, unknownKey } from '../input-checks/control-error.ts';
import { parseControl } from '../input-checks/parse-control.ts';
import type { Organization } from '../records/organization.ts';
import type { ArmedFault, Faults } from './faults.ts';
import { type FaultOf, faultInput } from './schema.ts';
import { explainUnreachable } from './unreachable.ts';

/** What arming a fault needs of a world. */
interface FaultedWorld {
  readonly faults: Faults;
  readonly keys: { get(key: string): { readonly organizationId: string } | undefined };
  readonly organizations: ReadonlyMap<string, Pick<Organization, 'id' | 'findUnknownAccount'>>;
  listKeys(): readonly { readonly name: string }[];
}

/** Refuses an edit that moves a record to an account if no organization, or not that of the key, has the account. */
function requireAccounts(
  { organizations, keys }: FaultedWorld,
  { key, data = {} }: FaultOf<'rival-edit'>,
): void {
  const owner = key === undefined ? undefined : keys.get(key)?.organizationId;
  const possible = [...organizations.values()].filter(({ id }) => owner === undefined || id === owner);
  const unknown = possible.map((organization) => organization.findUnknownAccount(data));
  if (unknown.includes(undefined)) return;
  const where = possible.map(({ id }) => id).join(', ');
  throw invalid(`data refers to an account that does not exist in ${where}: ${unknown[0]}.`);
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
  if (fault.effect === 'rival-edit') requireAccounts(world, fault);
  return world.faults.arm(fault);
}
