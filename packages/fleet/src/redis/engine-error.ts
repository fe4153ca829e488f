import { FleetError, type FleetErrorCode } from '../fleet-error.ts';
import { withoutArguments } from '../plain-cause.ts';
import { isCertificateCode } from '../repeated-call.ts';
import { parseReplyCode } from './reply-code.ts';

/** What the codes of Redis mean for a person, and what to do. */
const causes: readonly [replyCodes: readonly string[], code: FleetErrorCode, advice: string][] = [
  [
    ['NOAUTH', 'WRONGPASS', 'DENIED'],
    'STORE_CREDENTIALS',
    'Check the user and the password. The password may have expired.',
  ],
  [
    ['NOPERM'],
    'STORE_CREDENTIALS',
    'Grant this user access to the keys with the prefix, and to the commands that docs/redis.md of @orgchat/fleet lists.',
  ],
  [['READONLY'], 'STORE_READ_ONLY', 'Connect to the primary, and check replica-read-only.'],
  [['OOM', 'MISCONF'], 'STORE_FULL', 'Free memory or disk space on its machine, or raise maxmemory.'],
  [
    ['LOADING', 'MASTERDOWN', 'CLUSTERDOWN', 'TRYAGAIN', 'BUSY', 'NOREPLICAS', 'UNBLOCKED'],
    'STORE_UNAVAILABLE',
    'Check that Redis, its replicas and its cluster are running.',
  ],
  [['WRONGTYPE'], 'STORE_FAILED', 'Another program uses these keys: set another prefix.'],
];

/** Returns the code of the operating system. Connecting to several addresses fails with several. */
function findSystemCode(cause: unknown): string | undefined {
  const { code, errors } = Object(cause) as {
    readonly code?: unknown;
    readonly errors?: readonly { readonly code?: unknown }[];
  };
  const found = code ?? errors?.find((error) => error.code !== undefined)?.code;
  return found === undefined ? undefined : String(found);
}

function describe(cause: unknown): string {
  const { message, errors } = Object(cause) as {
    readonly message?: string;
    readonly errors?: readonly { readonly message?: string }[];
  };
  return withoutArguments(message || errors?.map((error) => error.message).join('; ') || String(cause));
}

/** Wraps an error of a driver. `what` says what failed, such as "The Redis journal". */
export function toFleetError(what: string, cause: unknown): FleetError {
  if (cause instanceof FleetError) return cause;
  const replyCode = parseReplyCode(cause);
  const known = causes.find(([codes]) => replyCode !== undefined && codes.includes(replyCode));
  const unreached = isCertificateCode(findSystemCode(cause))
    ? 'Check the certificate of Redis, and tls in the options of its client.'
    : 'Check that Redis is running, and check the host and port.';
  const fallback: [FleetErrorCode, string] =
    replyCode === undefined ? ['STORE_UNAVAILABLE', unreached] : ['STORE_FAILED', 'See the log of Redis.'];
  const [code, advice] = known ? [known[1], known[2]] : fallback;
  const text = describe(cause);
  return new FleetError(`${what} failed: ${text}${/[.!?]$/.test(text) ? '' : '.'} ${advice}`, {
    code,
    systemCode: replyCode ?? findSystemCode(cause),
    cause,
  });
}

/**
 * Returns whether a script may have been executed although it failed: Redis did not answer. It is safe to repeat such a
 * script, because each of them is idempotent. An error reply proves that nothing was written.
 */
export function isAmbiguous(cause: unknown): boolean {
  return parseReplyCode(cause) === undefined;
}

/** Returns whether a script that failed may succeed a moment later. */
export function isTransient(cause: unknown): boolean {
  if (cause instanceof FleetError) return false;
  const replyCode = parseReplyCode(cause);
  return replyCode === undefined || toFleetError('', cause).code === 'STORE_UNAVAILABLE';
}
