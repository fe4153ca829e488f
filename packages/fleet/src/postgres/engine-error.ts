import { FleetError, type FleetErrorCode } from '../fleet-error.ts';
import { isCertificateCode } from '../repeated-call.ts';

interface DriverError {
  readonly code?: string;
  readonly message?: string;
  readonly errors?: readonly DriverError[];
}

/** The SQLSTATE of a lock that took too long. */
export const lockTimeout = '55P03';

/** Returns whether a statement did not get a lock in time. Nothing was done. */
export const isLockTimeout = (cause: unknown): boolean => (Object(cause) as DriverError).code === lockTimeout;

const sqlState = /^[0-9A-Z]{5}$/;
const isSqlState = (code: string | undefined): code is string =>
  sqlState.test(code ?? '') && !code?.startsWith('E');

/** What SQLSTATEs, or their first characters, mean for a person, and what to do. */
const causes: readonly [states: RegExp, code: FleetErrorCode, advice: string][] = [
  [/^28/, 'STORE_CREDENTIALS', 'Check the user and the password. The password may have expired.'],
  [/^25006/, 'STORE_READ_ONLY', 'Connect to the primary, and check default_transaction_read_only.'],
  [
    /^(42P01|3F000|42883|42703)/,
    'STORE_NOT_MIGRATED',
    'Call migrate(pool) of @orgchat/fleet/postgres first.',
  ],
  [
    /^42501/,
    'STORE_CREDENTIALS',
    'Grant this user what docs/postgres.md of @orgchat/fleet lists for the schema and its tables.',
  ],
  [/^53[12]/, 'STORE_FULL', 'Free disk space or memory on its machine.'],
  [
    /^55P03/,
    'STORE_UNAVAILABLE',
    'Another transaction or an earlier call has a lock on the same rows: see pg_stat_activity, and check the disk and the replicas of Postgres.',
  ],
  [
    /^57014/,
    'STORE_UNAVAILABLE',
    'Check what keeps Postgres busy or locks its rows, and check statement_timeout.',
  ],
  [/^3D000/, 'STORE_UNAVAILABLE', 'Create the database, or correct its name.'],
  [/^(08|53300|57P)/, 'STORE_UNAVAILABLE', 'Check that Postgres is running and accepts this connection.'],
];

/** Returns the code of the engine or of the operating system. Connecting to several addresses fails with several. */
function findSystemCode(error: DriverError): string | undefined {
  return error.code ?? error.errors?.find(({ code }) => code !== undefined)?.code;
}

function describe(error: DriverError, systemCode: string | undefined): string {
  const text = error.message || error.errors?.map(({ message }) => message).join('; ') || String(error);
  // Node writes the code of the operating system into its messages.
  return isSqlState(systemCode) ? `${text} (${systemCode})` : text;
}

function explainUnknown(error: DriverError, systemCode: string | undefined): [FleetErrorCode, string] {
  if (isSqlState(systemCode)) return ['STORE_FAILED', 'See the log of Postgres.'];
  if (isLoginFailure(error))
    return [
      'STORE_CREDENTIALS',
      'Set the password in the options of the pool, in PGPASSWORD or in ~/.pgpass.',
    ];
  if (isCertificateCode(systemCode))
    return ['STORE_UNAVAILABLE', 'Check the certificate of Postgres, and ssl in the options of the pool.'];
  return ['STORE_UNAVAILABLE', 'Check that Postgres is running, and check the host and port.'];
}

/** pg gives a login that it cannot carry out no code. The name of the protocol begins its message. */
const isLoginFailure = ({ code, message = '' }: DriverError): boolean =>
  code === undefined && message.startsWith('SASL:');

/** Wraps an error of a driver. `what` says what failed, such as "The Postgres journal". */
export function toFleetError(what: string, cause: unknown): FleetError {
  if (cause instanceof FleetError) return cause;
  const error = Object(cause) as DriverError;
  const systemCode = findSystemCode(error);
  const known = isSqlState(systemCode) ? causes.find(([states]) => states.test(systemCode)) : undefined;
  const [, code, advice] = known ?? [undefined, ...explainUnknown(error, systemCode)];
  return new FleetError(`${what} failed: ${describe(error, systemCode)}. ${advice}`, {
    code,
    systemCode,
    cause,
  });
}

/**
 * Returns whether a statement may have been executed although it failed: the connection broke, or the engine went down.
 * It is safe to repeat such a statement, because each of them is idempotent.
 */
export function isAmbiguous(cause: unknown): boolean {
  const error = Object(cause) as DriverError;
  if (isSqlState(error.code)) return /^(08|57P)/.test(error.code);
  return !isLoginFailure(error) && !isCertificateCode(findSystemCode(error));
}

/** Returns whether a statement that failed may succeed a moment later. */
export function isTransient(cause: unknown): boolean {
  if (cause instanceof FleetError) return false;
  const { code } = Object(cause) as DriverError;
  return isAmbiguous(cause) || /^(40001|40P01|53300|57014)/.test(code ?? '');
}

/**
 * Returns whether an error ends the transaction that the statement was a part of, and says nothing about the statement: a
 * deadlock, a serialization failure, or an earlier error of the same transaction.
 */
export function isTransactionFailure(cause: unknown): boolean {
  return /^(40|25P02)/.test((Object(cause) as DriverError).code ?? '');
}
