/** The next steps after a keyword request with an unknown outcome. The API cannot look it up, so a person has to. */
export function getKeywordOutcomeHint(operationId: string): string {
  return `Check in the app whether the site has these keywords (orgchat ops show ${operationId}). If it has: orgchat ops forget ${operationId} --yes. If not, resend them: orgchat keywords import SITE FILE --retry-unknown`;
}
