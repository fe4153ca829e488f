import { monthOf } from '../month.ts';
import { Refusal } from '../refusal.ts';
import type { World } from '../world.ts';
import type { Caller } from './authenticate.ts';

/**
 * Holds the month's quota of the organization, then the minute limit of the key, and counts what passes both
 * (clauses 8.1 and 8.2, D34, D80, D81). Only the minute limit tells when to come again (D79).
 */
export function limit(world: World, { key, organization }: Caller, now: number): void {
  const month = monthOf(now);
  const used = organization.usage.month === month ? organization.usage.used : 0;
  if (used >= world.monthlyLimit(organization).enforced) throw new Refusal('QUOTA_EXCEEDED');
  const wait = world.limiter.waitOf(key.key, now);
  if (wait > 0) {
    const seconds = Math.max(1, Math.ceil(wait / 1000));
    throw new Refusal('RATE_LIMITED', undefined, { headers: { 'Retry-After': String(seconds) } });
  }
  world.limiter.count(key.key, now);
  organization.usage = { month, used: used + 1 };
  world.recorder?.('usage', organization.id, key.key, organization.usage);
}
