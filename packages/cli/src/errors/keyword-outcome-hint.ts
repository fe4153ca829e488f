/** The command that resends keywords, if it is not known which list they are from. */
const resendAnyList = 'orgchat keywords import SITE FILE --retry-unknown';

/**
 * The next steps after a keyword request with an unknown outcome. The API cannot look it up, so a person has to. `resend`
 * is the command that sends its keywords again.
 */
export function getKeywordOutcomeHint(operationId: string, resend = resendAnyList): string {
  return `Check in the app whether the site has these keywords (orgchat ops show ${operationId}). If it has: orgchat ops forget ${operationId} --yes. If not, resend them: ${resend}`;
}
