import { limits } from '@orgchat/spec';
import { getMonth, getNextMonthStart, toIsoString } from '../primitives/clock.ts';
import type { ApplyResult, RequestContext } from '../request/context.ts';
import { getMonthlyLimit } from '../world/request-limits.ts';

/** Returns organization, key, plan, credits and usage (section 4.1). */
export function getAccount({ world, caller, now }: RequestContext): ApplyResult {
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
      resetsAt: credits.resetsAt ?? toIsoString(getNextMonthStart(now)),
    },
    api: {
      used: usage.month === getMonth(now) ? usage.used : 0,
      limit: getMonthlyLimit(world.monthlyLimit, world.plans.get(settings.plan)).reported,
      perMinute: world.limiter.perMinute ?? limits.requestsPerMinute,
    },
  };
  return { status: 200, body: JSON.stringify(account) };
}
