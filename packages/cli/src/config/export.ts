import { resolve } from 'node:path';
import { type ConfigurationResource, configurationResources } from '@orgchat/spec';
import { toShellWord } from '../args/shell-word.ts';
import type { Context } from '../context.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { writeData } from '../output/streams.ts';
import { checkWritable } from '../output/write-file.ts';
import { type FileChange, type Merge, type MissingSection, mergeFile } from './export/merge-file.ts';
import { createJson, createYaml } from './file/config-text.ts';
import { type ConfigContent, createContent, toContentSource } from './file/export-content.ts';
import {
  createText,
  parseExistingConfig,
  readExistingConfig,
  requireValidContent,
  writeConfig,
} from './file/write-config.ts';
import { readOrganization, readOrganizationId } from './organization.ts';
import { formatChangeSummary } from './plan/format-plan.ts';
import { readBase, replaceBase } from './sync-base.ts';

export interface ExportOptions {
  readonly output?: string;
  readonly resources?: readonly string[];
  /** Whether to take the organization's side of what cannot be merged. */
  readonly force?: true;
}

/** Exports the configuration. An existing file keeps its comments, and what only the file changed. */
export async function exportConfig(context: Context, options: ExportOptions): Promise<void> {
  const resources = parseResources(options.resources);
  const { output } = options;
  const isFile = output !== undefined && output !== '-';
  if (options.force && !isFile)
    throw usageError('--force requires a file, but standard output was selected.', 'Pass the file: -o FILE');
  if (isFile) await checkWritable(output);
  const before = isFile ? await readExistingConfig(output) : undefined;
  const file = isFile && before !== undefined ? parseExistingConfig(output, before) : undefined;
  const { target } = await context.connect();
  const organizationId = await readOrganizationId(context);
  const key = { file: resolve(output ?? '-'), baseUrl: target.baseUrl, organizationId };
  // Read first: the base must not be newer than the organization.
  const base = file && (await readBase(key));
  const organization = await readOrganization(context, organizationId);
  const content = createContent(toContentSource(organization, resources));
  if (!isFile) return writeContent(context, content);
  // Also if the file would hide it.
  requireValidContent(output, createText(output, content));
  const isNamed = options.resources !== undefined;
  const merge = file && mergeFile({ file, organization, base, resources, isNamed });
  if (merge && merge.conflicts.length + merge.missing.length > 0 && !options.force)
    throw exportConflictError(output, merge, base !== undefined, repeatCommand(output, options));
  const merged = merge === undefined ? content : createContent(merge.source);
  const result = await writeConfig(output, before, merged);
  const records = resources.flatMap((resource) =>
    organization.records[resource].map(({ id, data }) => ({ resource, id, data })),
  );
  await replaceBase(key, resources, records);
  if (merge !== undefined) reportKept(context, output, merge);
  const counts = Object.fromEntries(
    Object.entries(merged).map(([resource, some]) => [resource, some.length]),
  );
  // For people, the note lists what is kept.
  const kept = context.output.format === 'table' ? undefined : merge?.kept.map(toKeptDocument);
  await context.output.one({ file: output, result, records: counts, ...(kept && { kept }) });
}

function writeContent({ output }: Context, content: ConfigContent): Promise<void> {
  const isJson = output.explicit && output.format === 'json';
  const text = isJson ? createJson(content) : createYaml(content);
  requireValidContent('the configuration', text);
  return writeData(text, isJson ? 'json' : 'yaml');
}

const repeatCommand = (output: string, { resources }: ExportOptions): string =>
  `orgchat config export -o ${toShellWord(output)}${resources === undefined ? '' : ` --resources ${resources.join(',')}`}`;

function parseResources(given: readonly string[] | undefined): readonly ConfigurationResource[] {
  const unknown = given?.find((name) => !configurationResources.some((known) => known === name));
  if (unknown !== undefined)
    throw usageError(`Unknown resource "${unknown}".`, `Use one of: ${configurationResources.join(', ')}.`);
  return given === undefined
    ? configurationResources
    : configurationResources.filter((name) => given.includes(name));
}

/** A change of the file in the JSON output. */
const toKeptDocument = ({ action, resource, label, id, origin, fields, problems }: FileChange) => ({
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
function reportKept({ output }: Context, name: string, { kept, keptOut, findName }: Merge): void {
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
function exportConflictError(
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
