import { resolve } from 'node:path';
import { type ConfigurationResource, configurationResources } from '@orgchat/spec';
import type { Context } from '../context.ts';
import { usageError } from '../errors/cli-error.ts';
import { writeData } from '../output/streams.ts';
import { checkWritable } from '../output/write-file.ts';
import { createJson, createYaml } from './file/config-text.ts';
import { createContent } from './file/export-content.ts';
import { writeConfig } from './file/write-config.ts';
import { readOrganization, readOrganizationId } from './organization.ts';
import { replaceBase } from './sync-base.ts';

export interface ExportOptions {
  readonly output?: string;
  readonly resources?: readonly string[];
}

/** Exports the configuration; an existing file keeps its comments. */
export async function exportConfig(context: Context, options: ExportOptions): Promise<void> {
  const resources = parseResources(options.resources);
  const { output } = options;
  const isFile = output !== undefined && output !== '-';
  if (isFile) await checkWritable(output);
  const { target } = await context.connect();
  const organization = await readOrganization(context, await readOrganizationId(context));
  const content = createContent(organization, resources);
  if (!isFile) {
    const json = context.output.explicit && context.output.format === 'json';
    return json ? writeData(createJson(content), 'json') : writeData(createYaml(content), 'yaml');
  }
  const result = await writeConfig(output, content);
  const key = { file: resolve(output), baseUrl: target.baseUrl, organizationId: organization.id };
  const records = resources.flatMap((resource) =>
    organization.records[resource].map(({ id, data }) => ({ resource, id, data })),
  );
  await replaceBase(key, resources, records);
  const counts = Object.fromEntries(resources.map((resource) => [resource, content[resource]?.length ?? 0]));
  await context.output.one({ file: output, result, records: counts });
}

function parseResources(given: readonly string[] | undefined): readonly ConfigurationResource[] {
  const unknown = given?.find((name) => !configurationResources.some((known) => known === name));
  if (unknown !== undefined)
    throw usageError(`Unknown resource "${unknown}".`, `Use one of: ${configurationResources.join(', ')}.`);
  return given === undefined
    ? configurationResources
    : configurationResources.filter((name) => given.includes(name));
}
