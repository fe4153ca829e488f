import { limits } from '../src/index.ts';

/** The limits that the SDK needs at run time. */
export function sdkLimits(): string {
  const { pageSize, requestsPerMinute, rateWindowMs, keywordsPerRequest } = limits;
  const { siteKeywordLength, siteKeywordGroupLength } = limits;
  return [
    '/** Records of one page, at most. */',
    `export const pageSize = ${pageSize};`,
    '',
    '/** Requests per key that the server accepts in any window. */',
    `export const requestsPerMinute = ${requestsPerMinute};`,
    '',
    '/** The length of that window, in milliseconds. */',
    `export const rateWindowMs = ${rateWindowMs};`,
    '',
    '/** Keywords of one request, at most. */',
    `export const keywordsPerRequest = ${keywordsPerRequest};`,
    '',
    '/** Characters of a keyword, at most. */',
    `export const keywordLength = ${siteKeywordLength};`,
    '',
    '/** Characters of a keyword group, at most. */',
    `export const keywordGroupLength = ${siteKeywordGroupLength};`,
    '',
  ].join('\n');
}
