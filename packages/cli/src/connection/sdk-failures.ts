import {
  AbortedError,
  AuthenticationError,
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
      const { message } = error;
      if (isForeign(error)) return 'Use the address that it redirects to as the base URL.';
      if (/CERT|SIGNED|UNABLE_TO/.test(message)) {
        return 'Name the certificates to trust: NODE_EXTRA_CA_CERTS=ca.pem';
      }
      return message.includes('PROXY_407')
        ? 'The proxy wants a name and a password: http://NAME:PASSWORD@HOST:PORT in HTTPS_PROXY or HTTP_PROXY'
        : seeDoctor('Check the address and the network');
    },
  ],
  [
    ServerError,
    exitCodes.failed,
    (error) => {
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

/** Codes that say more than their kind. */
const byCode: Record<string, readonly [exit: ExitCode, hint: string]> = {
  OPERATION_IN_FLIGHT: [
    exitCodes.conflict,
    'Another process is at work on it: wait for that, then run the same command again.',
  ],
  KEYWORD_LIMIT_EXCEEDED: [
    exitCodes.limited,
    'Nothing was added. Remove keywords from the site, or add fewer.',
  ],
};

/** Whether something answered that is not this API. */
const isForeign = ({ code }: OrgChatError): boolean =>
  code === 'INVALID_RESPONSE' || code === 'UNEXPECTED_SHAPE' || code === 'REDIRECTED';

/** The SDK's facts and the server's words; what only a program can do about it is left out. */
function messageOf(error: OrgChatError, { server }: Situation): string {
  const facts = error.message.replace(
    /(?:; (?:resume\(\)|check the site's keywords)[^;]*|: check baseUrl)$/,
    '',
  );
  if (error.serverMessage !== undefined) return `${facts}: ${error.serverMessage}`;
  if (server === undefined) return facts;
  if (error.code === 'CONNECTION_FAILED') return `Could not connect to ${server}: ${facts}`;
  const namesServer = error instanceof ConnectionError || error instanceof DeadlineError || isForeign(error);
  return namesServer ? `${facts}; asked ${server}` : facts;
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
  const particular = byCode[error.code];
  const found = particular?.[1] ?? hint(error, situation);
  return new Failure(messageOf(error, situation), {
    code: error.code,
    exit: particular?.[0] ?? exit,
    ...(typeof found === 'string' ? { hint: found } : found),
    operationId: error.operationId,
    extra: {
      ...(error.status !== undefined && { status: error.status }),
      ...(error.requestId !== undefined && { requestId: error.requestId }),
      ...(error.retryAt !== undefined && { retryAt: error.retryAt.toISOString() }),
    },
    cause: error,
  });
}
