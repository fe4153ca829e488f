import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GeneratedPage } from './reference-pages.ts';

const languages: Readonly<Record<string, string>> = {
  ts: 'ts',
  mjs: 'js',
  py: 'python',
  go: 'go',
  sh: 'sh',
  yaml: 'yaml',
};

/** The files of an example without its tests, the one to begin with first. */
const listFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter(
      (file) => (file.split('.').at(-1) ?? '') in languages && !/\.test\.|\.jest\.|_test\.go$/.test(file),
    )
    .sort((one, other) => Number(other.startsWith('index.')) - Number(one.startsWith('index.')));

/** What the comment at the top of a program says. */
const readIntroduction = (code: string): string => {
  const [, comment = ''] = /^\/\*\n([\s\S]*?)\*\//.exec(code) ?? [];
  return comment
    .split('\n')
    .map((line) => line.replace(/^ \*? ?/, ''))
    .join('\n')
    .replace(/\n +npm run example.*$/m, '')
    .trim();
};

/** A page for each example, by its folder in the repository. */
export function generateExamplePages(root: string): ReadonlyMap<string, GeneratedPage> {
  const pages = new Map<string, GeneratedPage>();
  for (const { name } of readdirSync(join(root, 'examples'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  )) {
    const folder = join(root, 'examples', name);
    const files = listFiles(folder);
    if (name === 'test-support' || files.length === 0) continue;
    const [first = ''] = files;
    const introduction = readIntroduction(readFileSync(join(folder, first), 'utf8'));
    const blocks = files.map((file) => {
      const code = readFileSync(join(folder, file), 'utf8').trim();
      return `## ${file}\n\n\`\`\`\`${languages[file.split('.').at(-1) ?? '']}\n${code}\n\`\`\`\`\n`;
    });
    const title = `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`;
    const run = files.includes('index.ts') ? `\`\`\`sh\nnpm run example ${name}\n\`\`\`\n` : '';
    const text = [`# Example: ${title.toLowerCase()}\n`, `${introduction}\n`, run, ...blocks].join('\n');
    pages.set(`examples/${name}`, { path: `/how-to/examples/${name}`, title, text });
  }
  const list = Array.from(pages.values(), ({ path, title }) => `- [${title}](${path})`).join('\n');
  const text = `# Examples\n\nEach is a program that runs against the mock, and is run by a test.\n\n${list}\n`;
  return new Map([['examples', { path: '/how-to/examples/', title: 'All examples', text }], ...pages]);
}
