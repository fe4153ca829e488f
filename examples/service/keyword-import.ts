/* Keyword import: the lines of a file. A keyword whose outcome is unknown is reported, and never sent a second time. */
import { readFile } from 'node:fs/promises';
import type { OrgChatClient } from '@orgchat/sdk';

/** Returns whether the site has every keyword. Pass `retryUnknown` after you checked the site. */
export async function importKeywords(
  client: OrgChatClient,
  siteId: string,
  path: string,
  retryUnknown: boolean,
): Promise<boolean> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  // With the intent, a run after a crash takes what is known from the journal.
  const options = { intent: ['keyword import', path], continueAfterUnknown: true, retryUnknown };
  const { added, skipped, unknown, refused, notSent, error } = await client.keywords.import(
    siteId,
    lines,
    options,
  );
  console.log(`${added.length} added, ${skipped.length} existed, ${unknown.length} unknown`);
  for (const keyword of unknown) console.log(`unknown: ${keyword}`);
  if (error !== undefined) console.error('Not complete:', error);
  return unknown.length + refused.length + notSent.length === 0;
}
