/** The command that resends keywords, if it is not known which list they are from. */
const resendAnyList = 'orgchat keywords import SITE FILE --retry-unknown';

/**
 * The next steps after a keyword request with an unknown outcome. The API cannot look it up, so a person has to. `resend`
 * is the command that sends its keywords again and ends the operation; after `ops forget`, any import sends them.
 */
export function getKeywordOutcomeHint(operationId: string, resend = resendAnyList): string {
  return `Check the keywords of the site in the app (orgchat ops show ${operationId}). To drop the record: orgchat ops forget ${operationId} --yes; the next import then sends them again. To finish, run this; the site skips keywords that it has: ${resend}`;
}

/** The next step after the server said that it knows the id or intent of a change with other input. */
export const getKnownIntentHint = (operationId = 'ID'): string =>
  `An earlier change with this id or intent was applied, is uncertain, or is still running. See what the records show: orgchat ops show ${operationId} --check`;
