import type { OrgChatClient } from '@orgchat/sdk';
import { FleetError } from '../fleet-error.ts';
import { backoffDelay } from './backoff.ts';
import { classifyError } from './classify-error.ts';

/** Why the organization of a client is not known. Nothing may be sent with it until it is. */
export interface AccountFailure {
  /** What a person reads. */
  readonly message: string;
  /** When it is asked again, in milliseconds from now. */
  readonly delayMs: number;
}

/** Whose work it is, for which check. */
export interface OrganizationCheck {
  /** What is to be sent, at the start of an error message. */
  readonly what: string;
  /** The organization that it belongs to. */
  readonly organization: string;
  /** Asks again, although `account()` failed a moment ago. */
  readonly isAtOnce?: boolean;
  /** Ends the wait for an answer. The check then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** What `account()` of a client said, or that it failed. */
interface Answer {
  readonly organization?: string;
  readonly failure?: unknown;
  readonly failures: number;
  /** By the clock of `performance.now()`. */
  readonly askAgainAt: number;
}

/** One answer per client and process: the organization of an API key does not change. */
const answers = new WeakMap<OrgChatClient, Answer>();
const questions = new WeakMap<OrgChatClient, Promise<Answer>>();

async function ask(client: OrgChatClient): Promise<Answer> {
  try {
    const { organizationId } = await client.account();
    return { organization: organizationId, failures: 0, askAgainAt: Number.POSITIVE_INFINITY };
  } catch (failure) {
    const failures = (answers.get(client)?.failures ?? 0) + 1;
    return { failure, failures, askAgainAt: performance.now() + backoffDelay(failures, failure) };
  }
}

/** Asks once for all that wait for the answer. */
function askOnce(client: OrgChatClient): Promise<Answer> {
  const asking =
    questions.get(client) ??
    ask(client).then((answer) => {
      answers.set(client, answer);
      questions.delete(client);
      return answer;
    });
  questions.set(client, asking);
  return asking;
}

/** The question stays open for the others that wait for its answer. */
async function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return answer;
  signal.throwIfAborted();
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort);
  });
  return Promise.race([answer, aborted]).finally(() => signal.removeEventListener('abort', abort));
}

/**
 * Compares the organization of a client with that of the work that it is to send. Resolves to undefined if they are the
 * same. Rejects with `KEY_OF_ANOTHER_ORGANIZATION` if not, and with `ADDRESS_GONE`. Resolves to a failure if `account()`
 * fails otherwise: it is asked again after a delay that grows.
 */
export async function checkOrganization(
  client: OrgChatClient,
  { what, organization, isAtOnce = false, signal }: OrganizationCheck,
): Promise<AccountFailure | undefined> {
  let answer = answers.get(client);
  if (answer === undefined || (answer.failures > 0 && (isAtOnce || answer.askAgainAt <= performance.now())))
    answer = await unlessAborted(askOnce(client), signal);
  if (answer.failures > 0) {
    if (classifyError(answer.failure) === 'gone') throw createGoneError(what, answer.failure);
    const reason = answer.failure instanceof Error ? answer.failure.message : String(answer.failure);
    return {
      message: `Nothing was sent: account() failed, so it is not known whose API key this is. ${reason}`,
      delayMs: Math.max(0, answer.askAgainAt - performance.now()),
    };
  }
  if (answer.organization === organization) return undefined;
  throw new FleetError(
    `${what} belongs to organization "${organization}", and the API key of the client to organization "${answer.organization}". Nothing was sent. Use a client with an API key of organization "${organization}".`,
    { code: 'KEY_OF_ANOTHER_ORGANIZATION' },
  );
}

/** What a person does about an address that is gone. */
export const goneAdvice =
  'The address of the API is gone. Give the client the base URL of an API that exists: what waits is sent there under the same id.';

/** Creates the error for work that waits for a client whose base URL is gone. */
export function createGoneError(what: string, cause: unknown): FleetError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new FleetError(`${what} cannot be sent: ${reason} ${goneAdvice}`, { code: 'ADDRESS_GONE', cause });
}

/** Throws `INVALID_OPTIONS` for what cannot be the id of an organization: neither Postgres nor a job id can have it. */
export function requireOrganization(value: unknown, where: string): string {
  if (typeof value === 'string' && /^[^\p{Cc}\p{Cs}]+$/u.test(value) && value.trim() === value) return value;
  throw new FleetError(
    `${where} requires { organization }: the organizationId that account() of your client returns; got ${describe(value)}.`,
    { code: 'INVALID_OPTIONS' },
  );
}

const describe = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value) : value === null ? 'null' : typeof value;

/** Throws `INVALID_OPTIONS` for what is not a client of `@orgchat/sdk`. */
export function requireClient(value: unknown, where: string): OrgChatClient {
  if (isClient(value)) return value;
  throw new FleetError(`${where} requires an @orgchat/sdk client.`, { code: 'INVALID_OPTIONS' });
}

export function isClient(value: unknown): value is OrgChatClient {
  const { changeChat, account } = Object(value) as Partial<OrgChatClient>;
  return typeof changeChat === 'function' && typeof account === 'function';
}
