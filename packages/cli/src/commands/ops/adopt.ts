import { type AdoptResult, AuthenticationError, InvalidInputError } from '@orgchat/sdk';
import { patterns } from '@orgchat/spec/patterns';
import type { Command } from 'commander';
import { describeJournal } from '../../connection/journal.ts';
import type { Context } from '../../context.ts';
import { action, examples } from '../../define-command.ts';
import { keyInArgumentsError } from '../../error-conversion/to-cli-error.ts';
import { CliError, usageError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { ask } from '../../input/prompt.ts';
import { maxKeyBytes } from '../../input/read-bytes.ts';
import { readStdin } from '../../input/read-input.ts';
import type { Row } from '../../output/output.ts';
import { describeSource } from '../../settings/setting-source.ts';
import { operationColumns, toOperationRow } from './summarize-operation.ts';

const variable = 'ORGCHAT_PREVIOUS_API_KEY';
const waysToPass = `Set ${variable}, or pass the key on standard input: orgchat ops adopt --with-token < previous-key.txt`;

/** A key, and where it was read. */
interface PreviousKey {
  readonly key: string;
  readonly from: string;
}

export function adopt(command: Command): void {
  const adopting = command
    .command('adopt')
    .description('take over the operations of the previous key, while both keys are valid')
    .allowExcessArguments()
    .option('--with-token', 'read the previous key from standard input')
    .addHelpText(
      'after',
      `\nThe previous key is read from ${variable}, from standard input, or at a prompt. It is\nnever accepted on the command line.`,
    );
  action<{ withToken?: true }>(adopting, async (context, { withToken }, typed) => {
    if (typed !== undefined) throw keyInArgumentsError(waysToPass);
    const { target } = await context.connect();
    const previous = await readPreviousKey(context, withToken === true);
    if (previous.key === target.apiKey) {
      throw usageError(
        `The previous key (from ${previous.from}) is the key in use (from ${describeSource(target.apiKeySource)}). Nothing was taken over.`,
        `Use the new key for this command, and pass the key that it replaces. ${waysToPass}`,
        'SAME_KEY',
      );
    }
    await print(context, await takeOver(context, previous));
  });
  examples(
    adopting,
    ['orgchat ops adopt', 'prompts for the previous key'],
    ['orgchat ops adopt --with-token < previous-key.txt'],
    ['orgchat ops resume --all', 'then finishes what is open'],
  );
}

async function readPreviousKey({ env }: Context, withToken: boolean): Promise<PreviousKey> {
  const found = withToken
    ? { key: await readStdin(maxKeyBytes), from: 'standard input' }
    : env[variable]
      ? { key: env[variable], from: variable }
      : { key: await ask('Previous API key', 'secret', waysToPass), from: 'the prompt' };
  const key = found.key.trim();
  if (patterns.apiKey.test(key)) return { key, from: found.from };
  throw usageError(
    key === ''
      ? `No previous key: ${found.from} is empty.`
      : `The previous key (from ${found.from}) is not a valid API key: it contains spaces, line breaks or other invalid characters.`,
    `Pass only the key. ${waysToPass}`,
    'INVALID_KEY',
  );
}

async function takeOver(context: Context, { key, from }: PreviousKey): Promise<AdoptResult> {
  const client = await context.client();
  // Fails here if the key in use is the one that is refused.
  const { organizationId } = await context.account();
  try {
    return await context.interrupt.runToEnd('the takeover', () =>
      client.operations.adopt({ previousKey: key, signal: context.interrupt.signal }),
    );
  } catch (error) {
    const { message, code, extra } = await context.toCliError(error);
    if (error instanceof AuthenticationError) {
      throw new CliError(`The previous key (from ${from}) was refused. Nothing was taken over: ${message}`, {
        ...{ code, exit: exitCodes.denied, extra, cause: error },
        hint: 'Pass the complete key. If it was revoked, restore it, run this command again, then revoke it. If you cannot, check its changes in the app.',
      });
    }
    // Without a status, the SDK itself compared the organizations.
    if (error instanceof InvalidInputError && error.status === undefined) {
      throw new CliError(message, {
        ...{ code: 'KEY_OF_ANOTHER_ORGANIZATION', exit: exitCodes.denied, cause: error },
        hint: `Pass the previous key of organization ${organizationId}. See the key in use: orgchat auth status`,
      });
    }
    throw error;
  }
}

const formatOperations = (count: number): string => `${count} ${count === 1 ? 'operation' : 'operations'}`;

async function print(context: Context, { adopted, inProgress, counts }: AdoptResult): Promise<void> {
  const { output } = context;
  const { open, settled } = counts;
  if (output.format === 'table' || output.fields !== undefined) {
    const rows = adopted.map((entry): Row => toOperationRow({ ...entry }));
    if (rows.length > 0 || !output.isView) await output.many(rows, operationColumns);
  } else await output.one({ open, settled, adopted, inProgress });
  output.note(
    adopted.length === 0
      ? `No operations of the previous key to take over in ${describeJournal(await context.connect())}.`
      : `${formatOperations(open + settled)} taken over: ${open} open, ${settled} settled.`,
  );
  if (open > 0) output.note('Finish the open ones: orgchat ops resume --all');
  if (inProgress.length === 0) return;
  const more = counts.inProgress > inProgress.length ? ', …' : '';
  const ids = inProgress.map(({ operationId }) => operationId).join(', ') + more;
  output.warn(
    `${formatOperations(counts.inProgress)} in progress in another process, so not taken over: ${ids}. Run this again when that process has ended.`,
  );
  context.exitCode = exitCodes.unknown;
}
