import { resolve } from 'node:path';
import { type ConfigurationResource, configurationResources } from '@orgchat/spec';
import { toShellWord } from '../args/shell-word.ts';
import type { Context } from '../context.ts';
import { usageError } from '../errors/cli-error.ts';
import { writeData } from '../output/streams.ts';
import { checkWritable } from '../output/write-file.ts';
import { exportConflictError, reportKept, toKeptDocument } from './export/export-notes.ts';
import { mergeFile } from './export/merge-file.ts';
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
