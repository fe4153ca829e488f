import { momentOf } from '../clock.ts';
import type { Applied, CommandOf, Exchange } from '../exchange.ts';
import { Refusal } from '../refusal.ts';

/** Clauses 4.2: adds what the site does not have, or nothing where a limit would be passed (D37 to D39). */
export function addKeywords(
  { world, caller, trace }: Exchange,
  { siteId, input }: CommandOf<'addSeoKeywords'>,
  now: number,
): Applied {
  const { organization } = caller;
  const { keywords } = organization.stored;
  const site = organization.sites.get(siteId);
  if (site === undefined) {
    throw new Refusal('NOT_FOUND', { en: 'There is no such site.', ja: 'サイトが存在しません。' });
  }
  const added = new Set<string>();
  const skipped: string[] = [];
  for (const keyword of input.keywords) {
    if (added.has(keyword) || keywords.has(site.id, keyword)) skipped.push(keyword);
    else added.add(keyword);
  }
  // Duplicates add nothing, so they pass also where a limit was lowered below what is there.
  if (added.size > 0) {
    hold(keywords.count(site.id) + added.size, site.keywordLimit, 'site');
    hold(keywords.size + added.size, world.plans.get(organization.settings.plan)?.keywords, 'plan');
  }
  const group = input.group || null;
  const addedAt = momentOf(now);
  for (const keyword of added) {
    const stored = { keyword, group, addedAt };
    keywords.add(site.id, stored);
    world.recorder?.('keyword', organization.id, JSON.stringify([site.id, keyword]), stored);
  }
  trace.applied = added.size > 0;
  return { status: 201, body: JSON.stringify({ added: [...added], skipped }) };
}

const owners = {
  site: { en: 'site', ja: 'サイト' },
  plan: { en: 'plan', ja: 'プラン' },
};

function hold(total: number, most: number | undefined, owner: keyof typeof owners): void {
  if (most === undefined || total <= most) return;
  const { en, ja } = owners[owner];
  throw new Refusal('KEYWORD_LIMIT_EXCEEDED', {
    en: `The ${en} holds at most ${most}.`,
    ja: `${ja}の上限は${most}件です。`,
  });
}
