import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const readPage = (name: string): string => readFileSync(`${root}docs/${name}.md`, 'utf8');
export const page = readPage('cookbook');

/** The blocks of a page in a language, by the name after it: a block that begins with "ts webhook", also if it has a label or marked lines. */
export function blocksOf(text: string, language: string): Map<string, string> {
  const blocks = text.matchAll(
    new RegExp(`^\`\`\`${language} ([\\w.-]+)(?: \\[\\w+\\]| \\{[\\d,-]+\\})?\\n([\\s\\S]*?)^\`\`\`$`, 'gm'),
  );
  return new Map(Array.from(blocks, ([, name = '', code = '']) => [name, code]));
}

/** The recipes of the guide in a language, by name. */
export const recipesOf = (language: 'ts' | 'sh' | 'yaml'): Map<string, string> =>
  blocksOf(`${page}\n${readPage('adopt-the-mock')}`, language);

/** A recipe by its name; throws if no page of the guide has it. */
export function recipe(language: 'ts' | 'sh' | 'yaml', name: string): string {
  const code = recipesOf(language).get(name);
  if (code === undefined) throw new Error(`The guide has no ${language} recipe "${name}".`);
  return code;
}

/** What a page shows of an output, in which `…` is what it leaves out, and processes and log files are those of another run. */
export const toPattern = (shown: string): RegExp =>
  new RegExp(
    shown
      .trim()
      .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      .replaceAll('…', '[\\s\\S]*')
      .replaceAll(/\b(process|pid)\s+\d+/g, '$1 \\d+')
      .replaceAll(/Log: \S+/g, 'Log: \\S+\\.log')
      .replaceAll(/\s+/g, '\\s+'),
  );
