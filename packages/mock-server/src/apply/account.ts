import { limits } from '@orgchat/spec';
import { momentOf } from '../clock.ts';
import type { Applied, Exchange } from '../exchange.ts';
import { monthOf, nextMonth } from '../month.ts';

/** Clauses 4.1: organization, key, plan, credits and use. */
export function getAccount({ world, caller }: Exchange, now: number): Applied {
  const { key, organization } = caller;
  const { credits, usage, settings } = organization;
  const account = {
    organizationId: organization.id,
    key: { name: key.name, scope: key.scope },
    plan: settings.plan,
    credits: {
      allowance: credits.allowance,
      used: credits.used,
      remaining: Math.max(0, credits.allowance - credits.used),
      resetsAt: credits.resetsAt ?? momentOf(nextMonth(now)),
    },
    api: {
      used: usage.month === monthOf(now) ? usage.used : 0,
      limit: world.monthlyLimit(organization).reported,
      perMinute: world.rules.perMinute ?? limits.requestsPerMinute,
    },
  };
  return { status: 200, body: JSON.stringify(account) };
}
