import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const page = readFileSync(new URL('../../docs/cookbook.md', import.meta.url), 'utf8');

/** The recipes of docs/cookbook.md in a language, by the name after it: a block that begins with "ts webhook". */
export function recipesOf(language: 'ts' | 'sh' | 'yaml'): Map<string, string> {
  const blocks = page.matchAll(new RegExp(`^\`\`\`${language} ([\\w.-]+)\\n([\\s\\S]*?)^\`\`\`$`, 'gm'));
  return new Map(Array.from(blocks, ([, name = '', code = '']) => [name, code]));
}

/** A recipe by its name; throws if the page does not have it. */
export function recipe(language: 'ts' | 'sh' | 'yaml', name: string): string {
  const code = recipesOf(language).get(name);
  if (code === undefined) throw new Error(`docs/cookbook.md has no ${language} recipe "${name}"`);
  return code;
}
