/* Nightly sync: tags and templates become as a file has them. A sync that is killed is simply run again. */
import { readFile } from 'node:fs/promises';
import type { OrgChatClient, TagInput, TemplateInput } from '@orgchat/sdk';

interface Catalog {
  readonly tags: readonly TagInput[];
  readonly templates: readonly TemplateInput[];
}

/** Returns whether every record is as the file has it. */
export async function syncCatalog(client: OrgChatClient, path: string): Promise<boolean> {
  const { tags, templates } = JSON.parse(await readFile(path, 'utf8')) as Catalog;
  const upserts = [
    ...tags.map((data) => () => client.tags.upsert(data, { by: 'name' })),
    ...templates.map((data) => () => client.templates.upsert(data, { by: 'name' })),
  ];
  const first = await client.bulk(upserts, async (upsert) => (await upsert()).outcome, { concurrency: 4 });
  // What failed gets a second chance. An upsert may be run again, whatever became known about the first.
  const { results, isComplete } = first.isComplete ? first : await first.resume();
  for (const { error } of results) if (error) console.error('Not synced:', error);
  const outcomes = results.map(({ status, value }) => value ?? status);
  for (const outcome of new Set(outcomes))
    console.log(`${outcomes.filter((one) => one === outcome).length} ${outcome}`);
  return isComplete;
}
