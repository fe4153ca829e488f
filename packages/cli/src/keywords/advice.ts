/** How the question is ended what became of a keyword request: the API cannot tell, so a person has to. */
export function howToSettleKeywords(operationId: string): string {
  return `Look in the app whether the site has these keywords (orgchat ops show ${operationId}). If so: orgchat ops forget ${operationId} --yes. If not, send them again, what is there is skipped: orgchat keywords import SITE FILE --retry-unknown`;
}
