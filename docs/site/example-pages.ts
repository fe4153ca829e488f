import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listExamples, readFirstComment } from '../../examples/list-examples.ts';
import type { GeneratedPage } from './reference/page.ts';

const languages: Readonly<Record<string, string>> = {
  ts: 'ts',
  mjs: 'js',
  py: 'python',
  go: 'go',
  sh: 'sh',
  yaml: 'yaml',
};

/** The files of an example without its tests, the one to begin with first. */
const listFiles = (folder: string, first: string): string[] =>
  readdirSync(folder)
    .filter(
      (file) => (file.split('.').at(-1) ?? '') in languages && !/\.test\.|\.jest\.|_test\.go$/.test(file),
    )
    .sort((one, other) => Number(other === first) - Number(one === first));

const group = 'Examples';

/** Names that are not written as words. */
const names: Readonly<Record<string, string>> = {
  lambda: 'AWS Lambda',
  msw: 'MSW',
  'next-route-handler': 'Next.js route handler',
  opentelemetry: 'OpenTelemetry',
};

/** A page for each example, by its folder in the repository, and one that lists them. */
export function generateExamplePages(root: string): ReadonlyMap<string, GeneratedPage> {
  const pages = new Map<string, GeneratedPage>();
  const list: string[] = [];
  for (const { name, file: first, lesson } of listExamples()) {
    const folder = join(root, 'examples', name);
    const files = listFiles(folder, first);
    const introduction = readFirstComment(readFileSync(join(folder, first), 'utf8'))
      .replace(/\n +npm run example.*$/m, '')
      .trim();
    const blocks = files.map((file) => {
      const code = readFileSync(join(folder, file), 'utf8').trim();
      return `## ${file}\n\n\`\`\`\`${languages[file.split('.').at(-1) ?? '']}\n${code}\n\`\`\`\`\n`;
    });
    const words = names[name] ?? name.replaceAll('-', ' ');
    const title = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
    const run = files.includes('index.ts') ? `\`\`\`sh\nnpm run example ${name}\n\`\`\`\n` : '';
    const text = [`# Example: ${words}\n`, `${introduction}\n`, run, ...blocks].join('\n');
    const path = `/how-to/examples/${name}`;
    pages.set(`examples/${name}`, { path, title, group, text });
    list.push(`- [${title}](${path}): ${lesson}`);
  }
  const text = `# Examples\n\nEach is a program that runs against the mock, and is run by a test.\n\n${list.join('\n')}\n`;
  return new Map([['examples', { path: '/how-to/examples/', title: 'All examples', group, text }], ...pages]);
}
