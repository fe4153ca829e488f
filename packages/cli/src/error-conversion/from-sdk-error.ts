import {
  AbortedError,
  AuthenticationError,
  type CodeMeaning,
  ConflictError,
  ConnectionError,
  DeadlineError,
  type ErrorMeaning,
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
import { CliError } from '../errors/cli-error.ts';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import { type ErrorHints, findHints } from './error-hints.ts';
import { fromJournalError } from './from-journal-error.ts';
import { getKeywordOutcomeHint, getKnownIntentHint } from './outcome-hints.ts';
import { formatSdkError, isNotTheApi } from './sdk-error-text.ts';
import { getUnknownCodeHint } from './unknown-codes.ts';

type Hint = Pick<CliError, 'hint'> & Partial<Pick<CliError, 'advice'>>;

type Rule = readonly [
  kind: new (...args: never[]) => OrgChatError,
  exit: ExitCode,
  hint: (error: OrgChatError, hints: ErrorHints) => string | Hint,
];

/** A hint that also names `orgchat doctor`; doctor itself prints only the advice. */
const seeDoctor = (advice: string, rest = ''): Hint => ({
  hint: `${advice}${rest}: orgchat doctor`,
  advice: `${advice}.`,
});

const retryAdvice = (error: OrgChatError): string =>
  error.retryAt === undefined ? 'Try again later.' : `Try again after ${error.retryAt.toISOString()}.`;

/** What to do about a failed TLS handshake, by the code of Node and OpenSSL. The first match decides. */
const tlsHints: readonly (readonly [codes: RegExp, hint: Hint])[] = [
  // The other side answers in plain text; the codes differ between versions of Node.
  [
    /^(?:EPROTO|ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST))$/,
    {
      hint: 'The server may not use TLS. If it is a local one, write http:// instead of https:// in the base URL',
    },
  ],
  [
    /ALTNAME/,
    seeDoctor(
      'The certificate is for another host name. Check the host in the base URL',
      '. To see where it comes from',
    ),
  ],
  [
    /EXPIRED|NOT_YET_VALID/,
    { hint: 'Renew the certificate of the server, or correct the clock of this machine.' },
  ],
  [
    /REVOKED/,
    { hint: 'The certificate of the server was revoked. Do not trust it; ask who runs the server.' },
  ],
  [
    /PROTOCOL|HANDSHAKE_FAILURE|CIPHER|INSUFFICIENT_SECURITY/,
    {
      hint: 'The server must support TLS 1.2 or later. A server or a proxy that offers only older versions is refused.',
    },
  ],
  [
    /SELF_SIGNED|UNABLE_TO|CERT_UNTRUSTED|INVALID_CA|UNKNOWN_CA/,
    { hint: 'Trust its certificate authority with NODE_EXTRA_CA_CERTS=ca.pem' },
  ],
];

const findTlsHint = ({ systemCode = '', reason }: OrgChatError): Hint | undefined =>
  tlsHints.find(([codes]) => codes.test(systemCode))?.[1] ??
  (reason === 'tls' ? seeDoctor('Check the certificate and the TLS settings of the server') : undefined);

/** From specific to general: the first match decides. */
const rules: readonly Rule[] = [
  [
    OutcomeUnknownError,
    exitCodes.unknown,
    (error, { resendKeywords }) => {
      // Sent again, it would be answered in the same way.
      if (error.reason === 'intent-known') return getKnownIntentHint(error.operationId);
      return error instanceof OutcomeUnknownError && error.resume
        ? `orgchat ops resume ${error.operationId ?? '--all'}`
        : getKeywordOutcomeHint(error.operationId ?? 'ID', resendKeywords);
    },
  ],
  [
    AuthenticationError,
    exitCodes.denied,
    () => seeDoctor('Use a valid key', '. To see where this key comes from'),
  ],
  [PermissionError, exitCodes.denied, () => 'Check the scope and plan of the key: orgchat account'],
  [
    InputConflictError,
    exitCodes.conflict,
    (error) => `See the first change with this id: orgchat ops show ${error.operationId ?? 'ID'}`,
  ],
  [
    StaleRevisionError,
    exitCodes.conflict,
    (_error, { stale }) =>
      stale ?? 'Someone else changed the record. Read it again with get, then repeat the command.',
  ],
  [ConflictError, exitCodes.conflict, () => 'Read the record again with get, then repeat the command.'],
  [
    NotFoundError,
    exitCodes.notFound,
    (_error, { notFound }) =>
      notFound ?? 'Check the id, and the accounts that the key can access: orgchat accounts list',
  ],
  [RateLimitError, exitCodes.limited, (error) => `${retryAdvice(error)} See the limits: orgchat account`],
  [
    DeadlineError,
    exitCodes.limited,
    (error) => `${retryAdvice(error)} Or set a longer deadline: --timeout 5m`,
  ],
  [AbortedError, exitCodes.interrupted, () => 'Run the command again.'],
  [
    ConnectionError,
    exitCodes.failed,
    (error) => {
      if (isNotTheApi(error)) return 'Use the redirect target as the base URL.';
      const tls = findTlsHint(error);
      if (tls !== undefined) return tls;
      return error.systemCode === 'PROXY_407'
        ? 'The proxy requires credentials. Set HTTPS_PROXY or HTTP_PROXY to http://NAME:PASSWORD@HOST:PORT'
        : seeDoctor('Check the base URL and the network');
    },
  ],
  [
    ServerError,
    exitCodes.failed,
    (error) => {
      if (error.code === 'RESPONSE_TOO_LARGE')
        return seeDoctor('Responses of this API are smaller. Check the base URL');
      // The account of a key is at a fixed path.
      if (error.status === 404 && (error.operation === 'getAccount' || isNotTheApi(error)))
        return seeDoctor('Check the base URL, including its path');
      if (isNotTheApi(error)) {
        return seeDoctor(
          'This response is not from the API. Check the base URL, and whether a login page of the network intercepts requests',
        );
      }
      return error.requestId === undefined
        ? 'Try again later.'
        : `Try again later. For support, quote request id ${error.requestId}.`;
    },
  ],
];

type MeaningRule = readonly [exit: ExitCode, hint: string];

/** Rules for meanings that say more than the class of the error. */
const byMeaning: Readonly<Partial<Record<ErrorMeaning, MeaningRule>>> = {
  keywordLimitExceeded: [
    exitCodes.limited,
    'Remove keywords from the site or send fewer. The refused request added nothing.',
  ],
  // Also with 404: it is not the record that is missing.
  runtimeUnavailable: [
    exitCodes.failed,
    'The chat runtime of the organization is unavailable. Try again later.',
  ],
} satisfies Partial<Record<CodeMeaning, MeaningRule>>;

const inFlight: MeaningRule = [
  exitCodes.conflict,
  'Another process is working on this operation. Wait for it, then run the same command again.',
];

const cursorInUse: MeaningRule = [
  exitCodes.conflict,
  'Stop the other watcher, or use another name: --cursor NAME',
];

const labelChanged: MeaningRule = [
  exitCodes.failed,
  'Read the record with get. Write its name in the file as it is stored, or rename the record.',
];

/**
 * Finds a rule that takes precedence over the class of the error, by the meaning of a server code, never by the code.
 */
function findMeaningRule({ code, status, meaning }: OrgChatError): MeaningRule | undefined {
  if (status === undefined && code === 'OPERATION_IN_FLIGHT') return inFlight;
  if (status === undefined && code === 'CURSOR_IN_USE') return cursorInUse;
  if (status === undefined && code === 'LABEL_CHANGED') return labelChanged;
  return meaning === undefined ? undefined : byMeaning[meaning];
}

/** Adds to a hint how to map an unknown code of the server. */
function addCodesHint(error: OrgChatError, found: string | Hint): Hint {
  const hint = typeof found === 'string' ? { hint: found } : found;
  const codes = getUnknownCodeHint(error);
  return codes === undefined
    ? hint
    : { hint: `${hint.hint}. ${codes}`, advice: `${hint.advice ?? hint.hint}. ${codes}` };
}

/** The error of an operation that was started, and whose entry shows nothing: it may be applied. */
function unusableEntryError({ message, code, operationId = 'ID', reason }: OrgChatError): CliError {
  const hint = `Check in the app whether it was applied. Then take its entry out of the journal: orgchat ops forget ${operationId} --yes`;
  return new CliError(message, { code, exit: exitCodes.unknown, hint, operationId, extra: { reason } });
}

/** Converts an error of the SDK; undefined for other errors. */
export function fromSdkError(error: unknown, server?: string): CliError | undefined {
  if (!(error instanceof OrgChatError)) return undefined;
  // The error of the journal names the file.
  if (error.code === 'JOURNAL_FAILED') {
    if (error.cause instanceof CliError) return error.cause;
    if (error.cause instanceof Error) return fromJournalError(error, error.cause);
    if (error.reason === 'journal-entry-unusable') return unusableEntryError(error);
  }
  const isUsage = error instanceof InvalidInputError || error.code === 'INVALID_OPTIONS';
  const [, exit, hint] = rules.find(([kind]) => error instanceof kind) ?? [
    undefined,
    isUsage ? exitCodes.usage : exitCodes.failed,
    () => 'See the options with --help.',
  ];
  const particular = findMeaningRule(error);
  const found = addCodesHint(error, particular?.[1] ?? hint(error, findHints(error)));
  return new CliError(formatSdkError(error, server), {
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
