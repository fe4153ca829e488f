import { makeFolder } from '@orgchat/atomic-files';
import type { ClientOptions } from '@orgchat/sdk';
import { fileJournal } from '@orgchat/sdk/node';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { getReason } from '../errors/get-reason.ts';
import { journalDirectory } from '../settings/directories.ts';
import { unwritableFileError } from '../settings/private-files.ts';
import type { SharedJournal } from '../shared-journal/shared-journal.ts';

/** Names the journal of a run: the URL without secrets, or the directory. */
export function describeJournal({
  sharedJournal,
}: {
  readonly sharedJournal: SharedJournal | undefined;
}): string {
  return sharedJournal?.name ?? journalDirectory();
}

/** Opens the journal in the state directory. Errors name the directory. */
export function openJournal(): NonNullable<ClientOptions['journal']> {
  const directory = journalDirectory();
  const journal = fileJournal(directory);
  const withFolder = <T>(work: () => T): T => {
    try {
      makeFolder(directory);
    } catch (error) {
      throw unwritableFileError(directory, error);
    }
    return work();
  };
  return {
    ...journal,
    add: (entry, options) => withFolder(() => journal.add(entry, options)),
    list: (target, options) =>
      withFolder(async () => {
        try {
          return await journal.list(target, options);
        } catch (error) {
          throw journalUnreadableError(directory, error);
        }
      }),
  };
}

function journalUnreadableError(directory: string, cause: unknown): CliError {
  return new CliError(`Cannot read the journal in ${directory}: ${getReason(cause)}`, {
    code: 'FILE_UNREADABLE',
    exit: exitCodes.failed,
    hint: 'Make it readable and writable. Only this directory records what was sent before.',
    cause,
  });
}
