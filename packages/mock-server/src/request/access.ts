import { operations } from '@orgchat/spec';
import { getMonth } from '../world/clock.ts';
import { getMonthlyLimit } from '../world/request-limits.ts';
import { ApiError } from './api-error.ts';
import type { RequestContext } from './context.ts';

const unauthorized = (): ApiError =>
  new ApiError('UNAUTHORIZED', undefined, { headers: { 'WWW-Authenticate': 'Bearer' } });

/** Answers 401 to missing, unknown and revoked keys, and to those of a deleted organization (clauses 3.10 and 3.11). */
export function authenticate(context: RequestContext): void {
  const { world, secret, trace } = context;
  const key = secret === undefined ? undefined : world.keys.get(secret);
  if (key === undefined || key.revoked) throw unauthorized();
  const organization = world.organizations.get(key.organizationId);
  if (organization === undefined || organization.settings.deleted) throw unauthorized();
  context.caller = { key, organization };
  // The stored text: a slice of the header would keep the whole header in memory as long as the log does.
  trace.key = key.key;
  trace.keyName = key.name;
  trace.organizationId = key.organizationId;
}

/** Answers 403 on a plan without API access and to a suspended creator; neither is counted (D3, D29, D81). */
export function checkPlan({ world, caller: { key, organization } }: RequestContext): void {
  if (world.plans.get(organization.settings.plan)?.apiAccess !== true) throw new ApiError('PLAN_REQUIRED');
  if (key.suspended) throw new ApiError('SUSPENDED');
}

/**
 * Enforces the monthly quota of the organization, then the minute limit of the key, and counts the request if it
 * passes both (clauses 8.1 and 8.2, D34, D80, D81). Only the minute limit sends `Retry-After` (D79).
 */
export function enforceLimits({ world, caller: { key, organization }, now }: RequestContext): void {
  const month = getMonth(now);
  const used = organization.usage.month === month ? organization.usage.used : 0;
  const { enforced } = getMonthlyLimit(world.monthlyLimit, world.plans.get(organization.settings.plan));
  if (used >= enforced) throw new ApiError('QUOTA_EXCEEDED');
  const wait = world.limiter.getWaitMs(key.key, now);
  if (wait > 0) {
    const seconds = Math.max(1, Math.ceil(wait / 1000));
    throw new ApiError('RATE_LIMITED', undefined, { headers: { 'Retry-After': String(seconds) } });
  }
  world.limiter.count(key.key, now);
  organization.usage = { month, used: used + 1 };
  world.recorder?.('usage', organization.id, key.key, organization.usage);
}

/** Answers 403 to a write with a read key, or by a creator who cannot edit (clauses 3.8 and 3.9, D28). */
export function authorize({ caller: { key }, route: { endpoint } }: RequestContext): void {
  if (operations[endpoint].scope === 'read') return;
  if (key.scope !== 'write') {
    throw new ApiError('FORBIDDEN', { en: 'It is a read-only key.', ja: '読み取り専用のキーです。' });
  }
  if (!key.editor) {
    throw new ApiError('FORBIDDEN', {
      en: 'Its creator cannot edit the organization.',
      ja: '作成者に組織の編集権限がありません。',
    });
  }
}
