import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { OrgChatError } from '@orgchat/sdk';
import { exitCodes } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { journalDirectory } from '../settings/paths.ts';

/** The files that the journal has of an operation; undefined where it cannot be looked into. */
function filesOf(operationId: string | undefined): string[] | undefined {
  if (operationId === undefined) return [];
  const folder = journalDirectory();
  try {
    // Settled entries lie in folders of days.
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => basename(name).startsWith(`${operationId}.`) && name.endsWith('.json'),
    );
    return names.map((name) => join(folder, name));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? [] : undefined;
  }
}

/**
 * What to do where a change could not be taken into the journal. Another folder is offered only where this one has no
 * entry of the operation: from there it would be sent again.
 */
function hintFor(cause: Error, files: readonly string[] | undefined): string {
  const folder = journalDirectory();
  if (files === undefined)
    return `Make ${folder} a folder that you can read and write. Another one (ORGCHAT_STATE_DIR) is only for what was never sent before: whether this was, cannot be seen there.`;
  // What the system did not refuse, the journal did: the file is there and is no entry it can rely on, or not yet.
  if (!('code' in cause))
    return 'isInUse' in cause
      ? 'Wait for that process, then run this again.'
      : `See what that operation came to, then move its file out of the journal: ${files.join(', ') || folder}`;
  return files.length === 0
    ? 'A change is sent only once it is in the journal: set ORGCHAT_STATE_DIR to a folder you can write to.'
    : `The journal has this operation already, in ${files.join(', ')}: see that you can read and write it (whose it is: ls -l), or see what the operation came to and move that file away. Then run this again.`;
}

/** A write that was not sent because it could not be journaled. */
export function fromJournal(error: OrgChatError, cause: Error): Failure {
  return new Failure(`${error.message}: ${cause.message}`, {
    code: error.code,
    exit: exitCodes.failed,
    hint: hintFor(cause, filesOf(error.operationId)),
    operationId: error.operationId,
    cause: error,
  });
}
