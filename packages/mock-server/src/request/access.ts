import { operations } from '@orgchat/spec';
import { getMonth, getNextMonthStart } from '../primitives/clock.ts';
import type { Cause } from '../why/cause.ts';
import { getMonthlyLimit } from '../world/request-limits.ts';
import { ApiError } from './api-error.ts';
import type { RequestContext } from './context.ts';

const unauthorized = (cause: Cause): ApiError =>
  new ApiError('UNAUTHORIZED', cause, undefined, { headers: { 'WWW-Authenticate': 'Bearer' } });

/** Answers 401 to missing, unknown and revoked keys, and to those of a deleted organization (clauses 3.10 and 3.11). */
export function authenticate(context: RequestContext): void {
  const { world, secret, trace } = context;
  if (secret === undefined) {
    const isSent = context.request.header('authorization') !== undefined;
    throw unauthorized({ reason: isSent ? 'no-bearer-key' : 'no-key' });
  }
  const key = world.keys.get(secret);
  if (key === undefined) throw unauthorized({ reason: 'unknown-key' });
  trace.sender = key;
  // A slice of the header, which would keep the whole header in memory as long as the log does.
  trace.sentKey = undefined;
  if (key.revoked) throw unauthorized({ reason: 'revoked-key', keyName: key.name });
  const { organizationId } = key;
  const organization = world.organizations.get(organizationId);
  if (organization === undefined || organization.settings.deleted)
    throw unauthorized({ reason: 'deleted-organization', organizationId });
  context.caller = { key, organization };
}

/** Answers 403 on a plan without API access and to a suspended creator; neither is counted (D3, D29, D81). */
export function checkPlan({ world, caller: { key, organization } }: RequestContext): void {
  const { plan } = organization.settings;
  if (world.plans.get(plan)?.apiAccess !== true)
    throw new ApiError('PLAN_REQUIRED', { reason: 'plan-without-access', plan });
  if (key.suspended) throw new ApiError('SUSPENDED', { reason: 'suspended-creator', keyName: key.name });
}

/**
 * Enforces the monthly quota of the organization, then the minute limit of the key, and counts the request if it
 * passes both (clauses 8.1 and 8.2, D34, D80, D81). Only the minute limit sends `Retry-After` (D79).
 */
export function enforceLimits({ world, caller: { key, organization }, now }: RequestContext): void {
  const month = getMonth(now);
  const used = organization.usage.month === month ? organization.usage.used : 0;
  const { enforced } = getMonthlyLimit(world.monthlyLimit, world.plans.get(organization.settings.plan));
  if (used >= enforced) {
    const acceptedAt = getNextMonthStart(now);
    throw new ApiError('QUOTA_EXCEEDED', { reason: 'monthly-quota', limit: enforced, acceptedAt });
  }
  const wait = world.limiter.getWaitMs(key.key, now);
  if (wait > 0) {
    const limit = world.limiter.perMinute ?? 0;
    throw new ApiError('RATE_LIMITED', { reason: 'minute-limit', limit, acceptedAt: now + wait }, undefined, {
      headers: createRetryAfter(world.rules.server.retryAfter, wait, now),
    });
  }
  world.limiter.count(key.key, now);
  organization.usage = { month, used: used + 1 };
  world.recorder?.('usage', organization.id, key.key, organization.usage);
}

/** The header `Retry-After`, as the server writes it: never too early. */
function createRetryAfter(
  form: 'seconds' | 'date' | 'none',
  waitMs: number,
  now: number,
): Readonly<Record<string, string>> {
  if (form === 'none') return {};
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const date = new Date((Math.ceil(now / 1000) + seconds) * 1000);
  return { 'Retry-After': form === 'date' ? date.toUTCString() : String(seconds) };
}

/** Answers 403 to a write with a read key, or by a creator who cannot edit (clauses 3.8 and 3.9, D28). */
export function authorize({ caller: { key }, route: { endpoint } }: RequestContext): void {
  if (operations[endpoint].scope === 'read') return;
  if (key.scope !== 'write') {
    const cause = { reason: 'read-only-key', keyName: key.name } as const;
    throw new ApiError('FORBIDDEN', cause, {
      en: 'It is a read-only key.',
      ja: '読み取り専用のキーです。',
    });
  }
  if (!key.editor) {
    const cause = { reason: 'creator-cannot-edit', keyName: key.name } as const;
    throw new ApiError('FORBIDDEN', cause, {
      en: 'Its creator cannot edit the organization.',
      ja: '作成者に組織の編集権限がありません。',
    });
  }
}
