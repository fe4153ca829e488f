import {
  AbortedError,
  AuthenticationError,
  type CodeMeaning,
  ConflictError,
  ConnectionError,
  DeadlineError,
  InputConflictError,
  InvalidInputError,
  NotFoundError,
  OrgChatError,
  OutcomeUnknownError,
  PermissionError,
  RateLimitError,
  ServerError,
  StaleRevisionError,
} from '@orgchat/sdk';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import type { Situation } from '../failures.ts';
import { howToSettleKeywords } from '../keywords/advice.ts';
import { fromJournal } from './journal-failures.ts';
import { isForeign, messageOf, systemCode } from './sdk-messages.ts';
import { hintForUnknownCode } from './unknown-codes.ts';

type Hint = Pick<Failure, 'hint'> & Partial<Pick<Failure, 'advice'>>;

type Rule = readonly [
  kind: new (...args: never[]) => OrgChatError,
  exit: ExitCode,
  hint: (error: OrgChatError, situation: Situation) => string | Hint,
];

/** A hint that leaves the rest to `doctor`, which gives the advice alone. */
const seeDoctor = (advice: string, rest = ''): Hint => ({
  hint: `${advice}${rest}: orgchat doctor`,
  advice: `${advice}.`,
});

const again = (error: OrgChatError): string =>
  error.retryAt === undefined ? 'Try again later.' : `Try again after ${error.retryAt.toISOString()}.`;

/** The more particular kind first: the first that fits decides. */
const rules: readonly Rule[] = [
  [
    OutcomeUnknownError,
    exitCodes.unknown,
    (error) =>
      error instanceof OutcomeUnknownError && error.resume
        ? `orgchat ops resume ${error.operationId ?? '--all'}`
        : howToSettleKeywords(error.operationId ?? 'ID'),
  ],
  [
    AuthenticationError,
    exitCodes.denied,
    () => seeDoctor('Give a key that works', '; where this one comes from'),
  ],
  [PermissionError, exitCodes.denied, () => "See the key's scope and plan: orgchat account"],
  [
    InputConflictError,
    exitCodes.conflict,
    (error) => `See what this operation was: orgchat ops show ${error.operationId ?? 'ID'}`,
  ],
  [
    StaleRevisionError,
    exitCodes.conflict,
    () => 'Someone changed the record since it was read: read it again with get, then repeat the command.',
  ],
  [ConflictError, exitCodes.conflict, () => 'Read the record again with get, then repeat the command.'],
  [
    NotFoundError,
    exitCodes.notFound,
    (
      { code },
      { notFoundHint = 'Check the id, and which accounts the key reaches: orgchat accounts list' },
    ) =>
      // Without a code of the API, something else has answered.
      code.startsWith('HTTP_')
        ? seeDoctor('Check the base URL, with the path to the API in it')
        : notFoundHint,
  ],
  [RateLimitError, exitCodes.limited, (error) => `${again(error)} The limits: orgchat account`],
  [DeadlineError, exitCodes.limited, (error) => `${again(error)} A longer deadline: --timeout 5m`],
  [AbortedError, exitCodes.interrupted, () => 'Run it again.'],
  [
    ConnectionError,
    exitCodes.failed,
    (error) => {
      const system = systemCode(error.cause) ?? '';
      if (isForeign(error)) return 'Use the address that it redirects to as the base URL.';
      if (/CERT|SIGNED|UNABLE_TO/.test(system)) {
        return 'Name the certificates to trust: NODE_EXTRA_CA_CERTS=ca.pem';
      }
      return system === 'PROXY_407'
        ? 'The proxy wants a name and a password: http://NAME:PASSWORD@HOST:PORT in HTTPS_PROXY or HTTP_PROXY'
        : seeDoctor('Check the address and the network');
    },
  ],
  [
    ServerError,
    exitCodes.failed,
    (error) => {
      if (error.code === 'RESPONSE_TOO_LARGE')
        return seeDoctor('No list and no document of this API is as large: check the base URL');
      if (isForeign(error)) {
        return seeDoctor(
          'What answered is not this API: check the base URL, with the path to the API in it, and whether a log-in page of the network is in the way',
        );
      }
      return error.requestId === undefined
        ? 'Try again later.'
        : `Try again later; the request id ${error.requestId} names it for support.`;
    },
  ],
];

type Particular = readonly [exit: ExitCode, hint: string];

/** Meanings that say more than the kind of the error. */
const byMeaning: Readonly<Partial<Record<CodeMeaning, Particular>>> = {
  keywordLimitExceeded: [
    exitCodes.limited,
    'Nothing was added. Remove keywords from the site, or add fewer.',
  ],
  // Also with 404: it is not what was asked for that is missing.
  runtimeUnavailable: [
    exitCodes.failed,
    'The chat runtime of the organization is unavailable. Try again later.',
  ],
};

const inFlight: Particular = [
  exitCodes.conflict,
  'Another process is at work on it: wait for that, then run the same command again.',
];

/** What decides before the kind of the error does. A code of the server is never looked at, only what it means. */
function particularOf({ code, status, meaning }: OrgChatError): Particular | undefined {
  if (status === undefined && code === 'OPERATION_IN_FLIGHT') return inFlight;
  return meaning === undefined ? undefined : byMeaning[meaning];
}

/** A hint that also says how to configure the code of the server, if it is not known. */
function withCodes(error: OrgChatError, found: string | Hint): Hint {
  const hint = typeof found === 'string' ? { hint: found } : found;
  const codes = hintForUnknownCode(error);
  return codes === undefined
    ? hint
    : { hint: `${hint.hint}. ${codes}`, advice: `${hint.advice ?? hint.hint}. ${codes}` };
}

/** An error of the SDK as a failure; undefined for anything else. */
export function fromSdk(error: unknown, situation: Situation = {}): Failure | undefined {
  if (!(error instanceof OrgChatError)) return undefined;
  // The journal's own failure says which file it was.
  if (error.code === 'JOURNAL_FAILED') {
    if (error.cause instanceof Failure) return error.cause;
    if (error.cause instanceof Error) return fromJournal(error, error.cause);
  }
  const isUsage = error instanceof InvalidInputError || error.code === 'INVALID_OPTIONS';
  const [, exit, hint] = rules.find(([kind]) => error instanceof kind) ?? [
    undefined,
    isUsage ? exitCodes.usage : exitCodes.failed,
    () => 'Add --help to the command to see what it takes.',
  ];
  const particular = particularOf(error);
  const found = withCodes(error, particular?.[1] ?? hint(error, situation));
  return new Failure(messageOf(error, situation), {
    code: error.code,
    exit: particular?.[0] ?? exit,
    ...found,
    operationId: error.operationId,
    meaning: error.meaning,
    extra: {
      ...(error.meaning !== undefined && { meaning: error.meaning }),
      ...(error instanceof OutcomeUnknownError && error.reason !== undefined && { reason: error.reason }),
      ...(error.status !== undefined && { status: error.status }),
      ...(error.requestId !== undefined && { requestId: error.requestId }),
      ...(error.retryAt !== undefined && { retryAt: error.retryAt.toISOString() }),
    },
    cause: error,
  });
}
