import { limits } from '@orgchat/spec';
import { advanceByMonths, getMonth, toIsoString } from '../primitives/clock.ts';
import type { Credits } from '../records/organization.ts';
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
    credits: getCredits(credits, now),
    api: {
      used: usage.month === getMonth(now) ? usage.used : 0,
      limit: getMonthlyLimit(world.monthlyLimit, world.plans.get(settings.plan)).reported,
      perMinute: world.limiter.perMinute ?? limits.requestsPerMinute,
    },
  };
  return { status: 200, body: JSON.stringify(account) };
}

/** The credits of the period that `now` is in. Each period is a month, and begins with none used (D36). */
function getCredits({ allowance, used, resetsAt }: Credits, now: number): object {
  const isSamePeriod = now < Date.parse(resetsAt);
  const usedNow = isSamePeriod ? used : 0;
  return {
    allowance,
    used: usedNow,
    remaining: Math.max(0, allowance - usedNow),
    resetsAt: isSamePeriod ? resetsAt : toIsoString(advanceByMonths(Date.parse(resetsAt), now)),
  };
}
