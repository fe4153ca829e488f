import type { ClientOptions } from '@orgchat/sdk';
import { fileJournal } from '@orgchat/sdk/node';
import { exitCodes } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { reason, unwritable } from '../settings/files.ts';
import { makeFolder } from '../settings/folders.ts';
import { journalDirectory } from '../settings/paths.ts';

/** The journal that outlives the process; where its folder cannot be made or read, that is said of the folder. */
export function journal(): NonNullable<ClientOptions['journal']> {
  const directory = journalDirectory();
  const kept = fileJournal(directory);
  const withFolder = <T>(work: () => T): T => {
    try {
      makeFolder(directory);
    } catch (error) {
      throw unwritable(directory, error);
    }
    return work();
  };
  return {
    ...kept,
    add: (entry, options) => withFolder(() => kept.add(entry, options)),
    list: (target, options) =>
      withFolder(async () => {
        try {
          return await kept.list(target, options);
        } catch (error) {
          throw unlisted(directory, error);
        }
      }),
  };
}

function unlisted(directory: string, cause: unknown): Failure {
  return new Failure(`The journal in ${directory} cannot be read: ${reason(cause)}`, {
    code: 'FILE_UNREADABLE',
    exit: exitCodes.failed,
    hint: 'Make it a folder that you can read and write: what was sent before stands there alone.',
    cause,
  });
}
