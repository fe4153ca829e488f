import type { AddKeywordsInput, ChatChange } from '@orgchat/sdk';

/**
 * Keywords to add to a site, as `client.addKeywords()` accepts them.
 *
 * @example
 * const summer: KeywordAddition = { siteId: 'demo-site', keywords: ['beach'], group: 'season' };
 * await enqueue(queue, summer, { organization: 'org_demo', intent: ['season', 2026] });
 */
export interface KeywordAddition extends AddKeywordsInput {
  readonly siteId: string;
}

/**
 * What a job does: a change, as `client.changeChat()` accepts it, or keywords.
 *
 * @example
 * const work: QueuedWork = { action: 'create-tags', data: { name: 'VIP', color: 'pink' } };
 * await enqueue(queue, work, { organization: 'org_demo' });
 */
export type QueuedWork = ChatChange | KeywordAddition;

/** The data of a job. */
export interface JobData {
  readonly operationId: string;
  readonly organization: string;
  readonly work: QueuedWork;
}

export const isKeywordAddition = (work: QueuedWork): work is KeywordAddition => 'siteId' in work;

/** Returns whether a value is a change or keywords, as far as it has to be known here. */
export function isQueuedWork(value: unknown): value is QueuedWork {
  const { action, siteId, keywords } = Object(value) as {
    readonly action?: unknown;
    readonly siteId?: unknown;
    readonly keywords?: unknown;
  };
  return typeof action === 'string' || (typeof siteId === 'string' && Array.isArray(keywords));
}
