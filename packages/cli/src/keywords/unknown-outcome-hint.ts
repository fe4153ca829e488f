/** Explains how to settle the unknown outcome of a keyword request: the API cannot tell, so a person must check. */
export function getKeywordAdvice(operationId: string): string {
  return `Check in the app whether the site has these keywords (orgchat ops show ${operationId}). If it has: orgchat ops forget ${operationId} --yes. If not, resend them: orgchat keywords import SITE FILE --retry-unknown`;
}
