import { requireRecordGuard } from '@orgchat/sdk/internal';
import type { Command } from 'commander';
import { toShellWord } from '../args/shell-word.ts';
import type { Row } from '../output/output.ts';

/** What a command expects of the record it changes. */
export interface Expectations {
  readonly expectRevision?: string | undefined;
  readonly expectLabel?: string | undefined;
}

/** Adds the options of a guarded change; `what` names its record. */
export function addGuardOptions(command: Command, what: string): Command {
  return command
    .option('--expect-revision <revision>', `fail unless the ${what} has this revision`)
    .option('--expect-label <label>', `fail unless the ${what} has this label`);
}

/** The fields of the guard that the command was given. */
export const givenGuard = ({ expectRevision, expectLabel }: Expectations) => ({
  expectedRevision: expectRevision,
  expectedLabel: expectLabel,
});

/** The hint for a record that has another revision or label; undefined if the command expects none. `read` shows it. */
export const createStaleHint = (
  { expectRevision, expectLabel }: Expectations,
  read: readonly string[],
): string | undefined =>
  expectRevision === undefined && expectLabel === undefined
    ? undefined
    : `The record does not have the expected revision or label. Read it: orgchat ${read.map(toShellWord).join(' ')}`;

/** What a command that changes a record of a resource says of it: what a journaled change must have, and the hint if it is stale. */
export const createExpectation = (expected: Expectations, read: readonly string[]) => ({
  pinned: () => givenGuard(expected),
  staleHint: createStaleHint(expected, read),
});

/** The guard of a change to a record: what the command expects, otherwise the record as it was read. */
export const createGuard = (record: Row, { expectRevision, expectLabel }: Expectations) =>
  requireRecordGuard({ revision: expectRevision ?? record.revision, label: expectLabel ?? record.label });
