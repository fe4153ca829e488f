import type { AddKeywordsInput, ChatChange } from '@orgchat/sdk';

/** Keywords to add to a site, as `client.addKeywords()` accepts them. */
export interface KeywordAddition extends AddKeywordsInput {
  readonly siteId: string;
}

/** What a job does: a change, as `client.changeChat()` accepts it, or keywords. */
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
