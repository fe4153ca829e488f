import type { ClientContext } from '../client-context.ts';
import { createInvalidInputError } from '../errors/refused.ts';
import { endpoints } from '../generated/endpoints.ts';
import type { WriteOptions } from '../options/options.ts';
import type { ApiResponse } from '../results/call-promise.ts';
import type { AddKeywordsResult } from '../types.ts';
import { areStrings, describeId, isObject } from '../values.ts';
import { asWrite, runWrite } from './call.ts';
import { openFreshConnection, unrepeatable } from './fresh-connection.ts';

function isAdded(answer: unknown): answer is AddKeywordsResult {
  return isObject(answer) && areStrings(answer.added) && areStrings(answer.skipped);
}

/** Returns the path of the keywords of a site. */
export function toKeywordPath(siteId: string): string {
  // It has to stay one segment of the path: dots that would leave it are refused, everything else is encoded.
  if (typeof siteId !== 'string' || /^\.{0,2}$|[\ud800-\udfff]/u.test(siteId)) {
    throw createInvalidInputError(
      `siteId must be a non-empty string of valid Unicode, other than "." and ".."; got ${describeId(siteId)}.`,
    );
  }
  return endpoints.addSeoKeywords.path.replace('{siteId}', () => encodeURIComponent(siteId));
}

/** Sends a keyword write. `input` is its JSON text, frozen when the call was made. */
export async function addSeoKeywords(
  client: ClientContext,
  siteId: string,
  input: string,
  options?: WriteOptions,
): Promise<ApiResponse<AddKeywordsResult>> {
  const request = {
    endpoint: 'addSeoKeywords',
    kind: 'keywords',
    method: endpoints.addSeoKeywords.method,
    path: toKeywordPath(siteId),
    matchesContract: isAdded,
    // The caller's own `fetch` and its options decide about connections themselves.
    openConnection: client.fetch || client.fetchOptions ? undefined : openFreshConnection,
    toUnrepeatable: unrepeatable,
  } as const;
  return asWrite(() => runWrite(client, request, input, options));
}
