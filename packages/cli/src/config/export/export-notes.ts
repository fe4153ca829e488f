import { toShellWord } from '../../args/shell-word.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { formatChangeSummary } from '../plan/format-plan.ts';
import type { FileChange, Merge, MissingSection } from './merge-file.ts';

/** A change of the file in the JSON output. */
export const toKeptDocument = ({ action, resource, label, id, origin, fields, problems }: FileChange) => ({
  action,
  resource,
  label,
  id,
  origin,
  fields,
  ...(problems && { problems }),
});

const formatSection = ({ resource, records }: MissingSection, why: string): string =>
  `${resource}: ${why} (${records} in the organization)`;

/** Says what the file keeps. */
export function reportKept({ output }: Context, name: string, { kept, keptOut, findName }: Merge): void {
  const lines = [
    ...kept.flatMap((change) => formatChangeSummary(change, ['file'], findName)),
    ...keptOut.map((section) => formatSection(section, 'the section was removed from the file')),
  ];
  if (lines.length === 0) return;
  output.note(
    `${name} keeps what only the file changed. To apply it: orgchat config apply ${toShellWord(name)}`,
  );
  for (const line of lines) output.note(`  ${line}`);
}

/** The error of an export that would lose changes of the file. `command` is the command that was run. */
export function exportConflictError(
  name: string,
  { conflicts, missing, findName }: Merge,
  hasBase: boolean,
  command: string,
): CliError {
  const lines = [
    ...conflicts.flatMap(
      (change) => change.problems ?? formatChangeSummary(change, ['both', 'unknown'], findName),
    ),
    ...missing.map((section) => formatSection(section, 'the file has no such section')),
  ];
  const why = hasBase
    ? 'The file and the organization differ here, and it cannot keep both'
    : 'This file was never exported or applied on this machine, so any difference may be an edit';
  return new CliError(`${name} was not changed. ${why} (organization → file):`, {
    code: 'CONFLICT',
    exit: exitCodes.conflict,
    listed: lines,
    hint: `To take the organization's side of these: ${command} --force. To see all differences: orgchat config diff ${toShellWord(name)}`,
    extra: {
      conflicts: conflicts.map(toKeptDocument),
      missing: missing.map(({ resource, records }) => ({ resource, records })),
    },
  });
}
