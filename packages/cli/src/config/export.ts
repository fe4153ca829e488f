import { resolve } from 'node:path';
import { type ConfigurationResource, configurationResources } from '@orgchat/spec';
import type { Context } from '../context.ts';
import { usage } from '../failure.ts';
import { checkPlace } from '../output/file.ts';
import { writeData } from '../streams.ts';
import { agreeWhole } from './base.ts';
import { contentOf } from './file/content.ts';
import { freshText, jsonText } from './file/text.ts';
import { writeConfig } from './file/write.ts';
import { organizationIdOf, readOrganization } from './organization.ts';

export interface ExportOptions {
  readonly output?: string;
  readonly resources?: readonly string[];
}

/** Writes the organization's configuration, into an existing file with its comments kept. */
export async function exportConfig(context: Context, options: ExportOptions): Promise<void> {
  const resources = resourcesIn(options.resources);
  const { output } = options;
  const isFile = output !== undefined && output !== '-';
  if (isFile) await checkPlace(output);
  const { target } = await context.connect();
  const organization = await readOrganization(context, await organizationIdOf(context));
  const content = contentOf(organization, resources);
  if (!isFile) {
    const json = context.output.explicit && context.output.format === 'json';
    return json ? writeData(jsonText(content), 'json') : writeData(freshText(content), 'yaml');
  }
  const result = await writeConfig(output, content);
  const key = { file: resolve(output), baseUrl: target.baseUrl, organizationId: organization.id };
  const records = resources.flatMap((resource) =>
    organization.records[resource].map(({ id, data }) => ({ resource, id, data })),
  );
  await agreeWhole(key, resources, records);
  const counts = Object.fromEntries(resources.map((resource) => [resource, content[resource]?.length ?? 0]));
  await context.output.one({ file: output, result, records: counts });
}

function resourcesIn(given: readonly string[] | undefined): readonly ConfigurationResource[] {
  const unknown = given?.find((name) => !configurationResources.some((known) => known === name));
  if (unknown !== undefined)
    throw usage(`There is no resource "${unknown}".`, `There are ${configurationResources.join(', ')}.`);
  return given === undefined
    ? configurationResources
    : configurationResources.filter((name) => given.includes(name));
}
