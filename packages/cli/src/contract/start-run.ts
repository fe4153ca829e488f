import { accountResponse } from '@orgchat/spec';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import type { ContractAnswer } from './exchange.ts';
import { type ContractTarget, RunFile, type RunStore } from './run-file.ts';
import { Scratch } from './scratch.ts';
import { Sender, type SenderOptions } from './sender.ts';

export interface StartOptions extends Omit<SenderOptions, 'baseUrl' | 'apiKey'> {
  readonly store: RunStore;
}

type AccountAnswer = ReturnType<typeof accountResponse.parse>;

/** A server whose account was read. */
export interface StartedRun {
  readonly run: RunFile;
  readonly sender: Sender;
  readonly scratch: Scratch;
  readonly account: { readonly answer: ContractAnswer; readonly parsed: AccountAnswer };
  readonly organizationId: string;
}

/** Reads the account, and what earlier checks left in its organization. */
export async function startRun(target: ContractTarget, options: StartOptions): Promise<StartedRun> {
  const { baseUrl, apiKey } = target;
  const run = await RunFile.open(options.store, target, options.now);
  const sender = new Sender(run, { ...options, baseUrl, apiKey });
  const account = await askAccount(sender);
  const { organizationId } = account.parsed;
  const scratch = await Scratch.open(options, target, organizationId);
  return { run, sender, scratch, account, organizationId };
}

/** Throws unless the key may write in the organization that the user named. */
export function requireWriting(started: StartedRun, named: string): void {
  const { organizationId } = started;
  if (organizationId !== named)
    throw new CliError(`The key is of organization ${organizationId}, not ${named}. Nothing was written.`, {
      code: 'KEY_OF_ANOTHER_ORGANIZATION',
      exit: exitCodes.denied,
      hint: 'Use a key of that organization, or pass the id of one in which tags and links may be created: --organization ID',
    });
  requireWriteKey(started);
}

/** Throws unless the key may write. */
export function requireWriteKey({ account }: StartedRun): void {
  if (account.parsed.key.scope !== 'write')
    throw new CliError(`The key cannot write: its scope is "${account.parsed.key.scope}".`, {
      code: 'KEY_REFUSED',
      exit: exitCodes.denied,
      hint: 'Use a write key.',
    });
}

/** Reads the account. Without it, the run would not know whose run it is. */
async function askAccount(sender: Sender): Promise<{ answer: ContractAnswer; parsed: AccountAnswer }> {
  const answer = await sender.send({ method: 'GET', path: '/me' });
  const parsed = accountResponse.safeParse(answer.json);
  if (answer.status === 200 && parsed.success) return { answer, parsed: parsed.data };
  const { status } = answer;
  if (status === 401 || status === 403)
    throw new CliError(`The server refused the key: GET /me was answered with ${status}.`, {
      code: 'KEY_REFUSED',
      exit: exitCodes.denied,
      hint: 'Use a valid key of an organization with API access: orgchat doctor',
    });
  const field = parsed.error?.issues[0]?.path.join('.');
  throw new CliError(
    status === 200
      ? `GET /me is not answered as clause 4.1.3 says${field ? `: ${field} is missing or of another type` : ''}.`
      : `GET /me was answered with ${status}, so nothing can be checked.`,
    {
      code: status === 200 ? 'UNEXPECTED_SHAPE' : 'NOT_THE_API',
      exit: exitCodes.failed,
      hint: 'Check the base URL, including its path: orgchat doctor',
    },
  );
}
