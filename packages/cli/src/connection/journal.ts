import type { ClientOptions } from '@orgchat/sdk';
import { fileJournal } from '@orgchat/sdk/node';
import { unwritable } from '../settings/files.ts';
import { makeFolder } from '../settings/folders.ts';
import { journalDirectory } from '../settings/paths.ts';

/** The journal that outlives the process; where its folder cannot be made, that is said of the folder. */
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
    add: (entry) => withFolder(() => kept.add(entry)),
    list: (target) => withFolder(() => kept.list(target)),
  };
}
