import { Refusal } from '../refusal.ts';
import type { World } from '../world.ts';
import type { Caller } from './authenticate.ts';

/** A plan without API access and a suspended creator end here: 403, counted toward nothing (D3, D29, D81). */
export function admit(world: World, { key, organization }: Caller): void {
  if (world.plans.get(organization.settings.plan)?.apiAccess !== true) throw new Refusal('PLAN_REQUIRED');
  if (key.suspended) throw new Refusal('SUSPENDED');
}
