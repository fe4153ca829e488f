import { type ConfigurationResource, configurationResources } from '@orgchat/spec';
import { toShellWord } from '../args/shell-word.ts';
import type { Context } from '../context.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { writeData } from '../output/streams.ts';
import { checkWritable } from '../output/write-file.ts';
import { type Merge, type MissingSection, mergeFile } from './export/merge-file.ts';
import type { FileChange } from './export/merger.ts';
import { createJson, createYaml, nameSchema } from './file/config-text.ts';
import { checkEditorSchema, type EditorSchema, writeEditorSchema } from './file/editor-schema.ts';
import {
  type ConfigContent,
  type ContentSource,
  createContent,
  toContentSource,
} from './file/export-content.ts';
import {
  createText,
  parseExistingConfig,
  readExistingConfig,
  requireValidContent,
  writeConfig,
} from './file/write-config.ts';
import { type Organization, readOrganization, readOrganizationId } from './organization.ts';
import { formatChangeSummary } from './plan/format-plan.ts';
import { parseOnly, type Selection, selectRecords } from './selection.ts';
import { createBase, findBaseKey, findHistoryPath, readBase, replaceBase, updateBase } from './sync-base.ts';

export interface ExportOptions {
  readonly output?: string;
  readonly resources?: readonly string[];
  readonly only?: readonly string[];
  /** Whether to take the organization's side of what cannot be merged. */
  readonly force?: true;
  /** The file to write the schema of the configuration to. */
  readonly schema?: string;
}

/** Exports the configuration. An existing file keeps its comments, and what only the file changed. */
export async function exportConfig(context: Context, options: ExportOptions): Promise<void> {
  const { output, only } = options;
  if (only !== undefined && options.resources !== undefined)
    throw usageError('--only and --resources cannot be used together.', 'Pass only one of them.');
  const selected = only && [...new Set(parseOnly(only).map(({ resource }) => resource))];
  const isFile = output !== undefined && output !== '-';
  if (!isFile && context.output.fields !== undefined)
    throw usageError(
      '--fields selects fields of a result, but standard output gets the configuration.',
      'Pass -o FILE, or select records with --only or --resources.',
    );
  if (options.force && !isFile)
    throw usageError('--force requires a file, but standard output was selected.', 'Pass the file: -o FILE');
  if (isFile) await checkWritable(output);
  const schema =
    options.schema === undefined
      ? undefined
      : await checkEditorSchema(options.schema, isFile ? output : undefined);
  const before = isFile ? await readExistingConfig(output) : undefined;
  const file = isFile && before !== undefined ? parseExistingConfig(output, before) : undefined;
  const { target } = await context.connect();
  const organizationId = await readOrganizationId(context);
  const key = findBaseKey({
    file: await findHistoryPath(output ?? '-'),
    baseUrl: target.baseUrl,
    organizationId,
  });
  // Read first: the base must not be newer than the organization.
  const base = file && key && (await readBase(key));
  const organization = await readOrganization(context, organizationId);
  // With --only, other records follow new names of the selected ones.
  const resources = selected
    ? configurationResources.filter((one) => [...selected, ...(file?.resources ?? [])].includes(one))
    : parseResources(options.resources);
  const whole = toContentSource(organization, resources);
  const content = createContent(only && !file ? selectContent(organization, selected ?? [], only) : whole);
  if (!isFile) return writeContent(context, content, schema);
  // Also if the file would hide it. With --only, records that are not taken do not matter.
  if (only === undefined) requireValidContent(output, createText(output, content));
  const isNamed = options.resources !== undefined || only !== undefined;
  const merge = file && mergeFile({ file, organization, base, resources, isNamed, only });
  const isBlocked = merge?.conflicts.some(({ isOutside }) => isOutside) === true;
  if (merge && merge.conflicts.length + merge.missing.length > 0 && (!options.force || isBlocked))
    throw exportConflictError(output, merge, base !== undefined, repeatCommand(output, options));
  const merged = merge === undefined ? content : createContent(merge.source);
  // First: a configuration that names its schema has it.
  if (schema !== undefined) await writeEditorSchema(schema);
  const result = await writeConfig(output, before, merged, schema?.reference);
  const records = resources.flatMap((resource) =>
    organization.records[resource].map(({ id, data }) => ({ resource, id, data })),
  );
  const { hasRemote } = merge?.selection ?? selectFrom(organization, resources, only);
  const equal = records.filter(({ id }) => hasRemote({ id }));
  // With --only, the base of the other records stays as it is.
  if (key !== undefined) {
    if (merge === undefined) await createBase(key, { whole: only ? [] : resources, records: equal });
    else if (only === undefined) await replaceBase(key, resources, equal);
    else await updateBase(key, { whole: [], records: equal, gone: merge.gone });
  }
  if (merge !== undefined) reportKept(context, output, merge);
  const counts = Object.fromEntries(
    Object.entries(merged).map(([resource, some]) => [resource, some.length]),
  );
  // For people, the note lists what is kept.
  const kept = context.output.isView ? undefined : merge?.kept.map(toKeptDocument);
  await context.output.one({
    file: output,
    result,
    records: counts,
    ...(kept && { kept }),
    ...(schema && { schema: schema.file }),
  });
}

/** Selects from the records of an organization alone. */
const selectFrom = (
  { records }: Organization,
  resources: readonly ConfigurationResource[],
  only: readonly string[] | undefined,
): Selection =>
  selectRecords(only, {
    place: 'in the organization',
    matched: new Map(),
    unmatched: resources.flatMap((resource) => records[resource].map((remote) => ({ ...remote, resource }))),
  });

/** The content of a new file that has only the records of `--only`. */
function selectContent(
  organization: Organization,
  resources: readonly ConfigurationResource[],
  only: readonly string[],
): ContentSource {
  const { hasRemote } = selectFrom(organization, resources, only);
  const source = toContentSource(organization, resources);
  const written = Object.entries(source.written).map(([resource, records]) => [
    resource,
    records.filter(({ id }) => id !== undefined && hasRemote({ id })),
  ]);
  return { ...source, written: Object.fromEntries(written) };
}

async function writeContent(
  { output }: Context,
  content: ConfigContent,
  schema: EditorSchema | undefined,
): Promise<void> {
  const format = output.flagFormat === 'json' ? 'json' : 'yaml';
  const text = format === 'json' ? createJson(content) : createYaml(content);
  requireValidContent('the configuration', text);
  if (schema !== undefined) await writeEditorSchema(schema);
  return writeData(nameSchema(format, text, schema?.reference), format);
}

function repeatCommand(output: string, { resources, only = [], schema }: ExportOptions): string {
  const words = [
    ...(schema === undefined ? [] : ['--schema', toShellWord(schema)]),
    ...(resources === undefined ? [] : ['--resources', resources.join(',')]),
    ...only.flatMap((one) => ['--only', toShellWord(one)]),
  ];
  return ['orgchat config export -o', toShellWord(output), ...words].join(' ');
}

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
  const isOutside = conflicts.some((change) => change.isOutside);
  const force = isOutside
    ? 'To take these records as well, name them with --only, too'
    : `To take the organization's side of these: ${command} --force`;
  const why = hasBase
    ? 'The file and the organization differ here, and it cannot keep both'
    : 'This file was never exported or applied on this machine, so any difference may be an edit';
  return new CliError(`${name} was not changed. ${why} (organization → file):`, {
    code: 'CONFLICT',
    exit: exitCodes.conflict,
    listed: lines,
    hint: `${force}. To see all differences: orgchat config diff ${toShellWord(name)}`,
    extra: {
      conflicts: conflicts.map(toKeptDocument),
      missing: missing.map(({ resource, records }) => ({ resource, records })),
    },
  });
}
