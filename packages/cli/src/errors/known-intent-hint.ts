/** The next step after the server said that it knows the id or intent of a change with other input. */
export const getKnownIntentHint = (operationId = 'ID'): string =>
  `An earlier change with this id or intent was applied, is uncertain, or is still running. See what the records show: orgchat ops show ${operationId} --check`;
