import { toIsoString } from '../primitives/clock.ts';
import { truncate } from '../primitives/kept-text.ts';
import { ApiError } from '../request/api-error.ts';
import type { ApplyResult, CommandOf, RequestContext } from '../request/context.ts';
import type { KeywordTotal } from '../why/cause.ts';
import { announceKeyword } from './announce.ts';

/** Adds the keywords that the site does not have, or none if that would exceed a limit (section 4.2, D37 to D39). */
export function addKeywords(
  context: RequestContext,
  { siteId, input }: CommandOf<'addSeoKeywords'>,
): ApplyResult {
  const { world, caller, trace, now } = context;
  const { organization } = caller;
  const { keywords } = organization.stored;
  const site = organization.sites.get(siteId);
  if (site === undefined) {
    throw new ApiError(
      'NOT_FOUND',
      { reason: 'unknown-site', siteId: truncate(siteId), organizationId: organization.id },
      {
        en: `No site with id ${siteId}.`,
        ja: `IDが${siteId}のサイトは存在しません。`,
      },
    );
  }
  const added = new Set<string>();
  const skipped: string[] = [];
  for (const keyword of input.keywords) {
    if (added.has(keyword) || keywords.has(site.id, keyword)) skipped.push(keyword);
    else added.add(keyword);
  }
  // Duplicates add nothing, so they pass even if a limit was lowered below the current number.
  if (added.size > 0) {
    const total = { siteId: site.id, added: added.size };
    requireCapacity('site', { ...total, held: keywords.count(site.id), limit: site.keywordLimit });
    const limit = world.plans.get(organization.settings.plan)?.keywords ?? Number.POSITIVE_INFINITY;
    requireCapacity('plan', { ...total, held: keywords.size, limit });
  }
  if (added.size > 0) world.keepState(trace);
  const group = input.group || null;
  const addedAt = toIsoString(now);
  for (const keyword of added) {
    const stored = { keyword, group, addedAt };
    keywords.add(site.id, stored);
    world.recorder?.('keyword', organization.id, JSON.stringify([site.id, keyword]), stored);
    announceKeyword(context, site.id, keyword);
  }
  trace.applied = added.size > 0;
  return { status: 201, body: JSON.stringify({ added: [...added], skipped }) };
}

const owners = {
  site: { en: 'site', ja: 'サイト' },
  plan: { en: 'plan', ja: 'プラン' },
};

function requireCapacity(owner: keyof typeof owners, total: KeywordTotal): void {
  const { limit } = total;
  if (total.held + total.added <= limit) return;
  const { en, ja } = owners[owner];
  throw new ApiError(
    'KEYWORD_LIMIT_EXCEEDED',
    { reason: `${owner}-keyword-limit`, ...total },
    {
      en: `The ${en} can hold at most ${limit} keywords.`,
      ja: `${ja}の上限は${limit}件です。`,
    },
  );
}
