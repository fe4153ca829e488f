import { OrgChatError, OutcomeUnknownError } from '@orgchat/sdk';
import { codeMeanings } from '@orgchat/spec';

/** The code of these statuses decides the outcome, so an unknown one is reported. */
const decisive: readonly number[] = [404, 409, 429];
/** Longer codes are not worth a mapping in a file. */
const longest = 100;

interface Refusal {
  readonly status?: number | undefined;
  readonly code: string;
  readonly meaning?: OrgChatError['meaning'];
}

/** Whether the server sent a code whose meaning is unknown. */
export const isUnknownCode = ({ status = 0, code, meaning }: Refusal): boolean =>
  decisive.includes(status) &&
  meaning === undefined &&
  !code.startsWith('HTTP_') &&
  // A code of the SDK: the answer did not come from the API.
  code !== 'INVALID_RESPONSE' &&
  code.length <= longest;

/** Describes how to map an unknown code to its meaning. */
export function describeUnknownCode({ status = 0, code }: Refusal): string {
  const meanings = Object.entries(codeMeanings)
    .filter(([, { statuses }]) => statuses.includes(status))
    .map(([name]) => name);
  return `${status} ${code} is not a known error code. If you know its meaning, map it in a file: "{ server: 1, codes: { ${meanings[0]}: ${code} } }", and pass --server FILE. Possible meanings: ${meanings.join(', ')}. See: orgchat help server`;
}

/** The same for an error; undefined if its code is known, or nothing depends on it. */
export function getUnknownCodeHint(error: OrgChatError): string | undefined {
  const refusal = error instanceof OutcomeUnknownError ? lastAnswer(error) : error;
  return refusal !== undefined && isUnknownCode(refusal) ? describeUnknownCode(refusal) : undefined;
}

/** The answer after which an outcome was unknown: the cause knows what its code means. */
function lastAnswer({ cause }: OutcomeUnknownError): Refusal | undefined {
  return cause instanceof OrgChatError ? cause : undefined;
}
