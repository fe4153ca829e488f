import { OrgChatError, OutcomeUnknownError } from '@orgchat/sdk';
import { codeMeanings } from '@orgchat/spec';

/** Codes of these statuses decide what happens next, so an unknown one is worth a word. */
const decisive: readonly number[] = [404, 409, 429];
/** A longer code is not one to write into a file. */
const longest = 100;

interface Refusal {
  readonly status?: number | undefined;
  readonly code: string;
  readonly meaning?: OrgChatError['meaning'];
}

/** Whether a code is one that the server made up, and that nothing is known of. */
export const isUnknownCode = ({ status = 0, code, meaning }: Refusal): boolean =>
  decisive.includes(status) && meaning === undefined && !code.startsWith('HTTP_') && code.length <= longest;

/** Says how to tell the command what a code means. */
export function howToConfigure({ status = 0, code }: Refusal): string {
  const meanings = Object.entries(codeMeanings)
    .filter(([, { statuses }]) => statuses.includes(status))
    .map(([name]) => name);
  return `${status} ${code} is not a known code. If you know what it means (${meanings.join(', ')}), write a file with "codes: { ${meanings[0]}: ${code} }" and add --codes FILE; all meanings: orgchat help codes`;
}

/** The same for an error; undefined if its code is known, or nothing depends on it. */
export function hintForUnknownCode(error: OrgChatError): string | undefined {
  const refusal = error instanceof OutcomeUnknownError ? lastAnswer(error) : error;
  return refusal !== undefined && isUnknownCode(refusal) ? howToConfigure(refusal) : undefined;
}

/** The answer after which an outcome was unknown: the cause knows what its code means. */
function lastAnswer({ cause }: OutcomeUnknownError): Refusal | undefined {
  return cause instanceof OrgChatError ? cause : undefined;
}
