/** How the question is ended what became of a keyword request: the API cannot tell, so a person has to. */
export function howToSettleKeywords(operationId: string): string {
  return `Look in the app whether the site has its keywords (orgchat ops show ${operationId} names them). If it has: orgchat ops forget ${operationId} --yes. If not, or if it does not matter, send them again, what is there is skipped: keywords import SITE FILE --retry-unknown`;
}
