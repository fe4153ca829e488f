import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../node_modules/.cache/orgchat-build', import.meta.url));

/** Returns what `make` returns, or what it returned for the same ingredients before. The last one of a name is kept. */
export async function cached(
  name: string,
  ingredients: readonly (string | Uint8Array)[],
  make: () => string | Promise<string>,
): Promise<string> {
  const hash = createHash('sha256');
  for (const ingredient of ingredients) hash.update(createHash('sha256').update(ingredient).digest());
  const key = `${hash.digest('hex')}\n`;
  const file = join(folder, name);
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept.startsWith(key)) return kept.slice(key.length);
  const made = await make();
  await mkdir(folder, { recursive: true });
  const draft = `${file}-${randomUUID()}`;
  await writeFile(draft, key + made);
  await rename(draft, file);
  return made;
}
