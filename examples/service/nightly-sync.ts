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
  const by = { by: 'name', concurrency: 4 } as const;
  const firsts = [await client.tags.sync(tags, by), await client.templates.sync(templates, by)];
  // What failed gets a second chance.
  const outcomes = await Promise.all(firsts.map((first) => (first.isComplete ? first : first.resume())));
  for (const { results } of outcomes)
    for (const { error } of results) if (error) console.error('Not synced:', error);
  for (const name of ['created', 'updated', 'unchanged', 'failed', 'unknown'] as const) {
    const count = outcomes.reduce((sum, outcome) => sum + outcome[name], 0);
    if (count > 0) console.log(`${count} ${name}`);
  }
  return outcomes.every(({ isComplete }) => isComplete);
}
