import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/* Code of docstrings, whose lines are as long as those of a source, as code that fits on a page. */

/** The columns of a block of code. */
const width = 72;

const samples = /^```ts( signature)?\n([\s\S]*?)\n```$/gm;

/** Those of a signature, which wraps where it does not fit. */
const signatureWidth = 80;

const isLong = (line: string, most = width): boolean => line.length > most;

/** A text in lines that begin with the same mark. */
function wrap(text: string, mark: string): string {
  const lines = [mark];
  for (const word of text.split(' ')) {
    if (isLong(`${lines.at(-1)} ${word}`)) lines.push(mark);
    lines.push(`${lines.pop()} ${word}`);
  }
  return lines.join('\n');
}

/** Puts a comment at the end of a long line above it. */
const moveComments = (code: string): string =>
  code
    .split('\n')
    .map((line) => {
      const [, indent = '', statement = '', comment] = /^( *)(.*?) ?\/\/ (.*)$/.exec(line) ?? [];
      if (comment === undefined || !isLong(line)) return line;
      const above = wrap(comment, `${indent}//`);
      return statement === '' ? above : `${above}\n${indent}${statement}`;
    })
    .join('\n');

/** A signature of a method is TypeScript in a class. */
const shell = { start: 'declare class Shell {\n', end: '\n}' };

const isMethod = (code: string): boolean => !/^(?:abstract|class|const|function|type) /.test(code);

/** Formats the long code of the pages in a folder. What is no TypeScript stays. */
export function formatSamples(root: string, folder: string): void {
  const work = mkdtempSync(join(tmpdir(), 'samples-'));
  writeFileSync(
    join(work, 'biome.json'),
    JSON.stringify({
      formatter: { indentStyle: 'space', lineWidth: width },
      javascript: { formatter: { quoteStyle: 'single' } },
      overrides: [{ includes: ['code/signature-*.ts'], formatter: { lineWidth: signatureWidth } }],
    }),
  );
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => ({ file: join(folder, file), text: readFileSync(join(folder, file), 'utf8') }));
  const toFile = (page: number, text: string, code: string, signature?: string): string =>
    join(
      work,
      'code',
      `${signature === undefined ? 'sample' : 'signature'}-${page}-${text.indexOf(code)}.ts`,
    );
  mkdirSync(join(work, 'code'));
  pages.forEach(({ text }, page) => {
    for (const [, signature, code = ''] of text.matchAll(samples)) {
      const isSignature = signature !== undefined;
      if (!code.split('\n').some((line) => isLong(line, isSignature ? signatureWidth : width))) continue;
      const moved = moveComments(code);
      writeFileSync(
        toFile(page, text, code, signature),
        !isSignature || !isMethod(code) ? moved : `${shell.start}${moved}${shell.end}`,
      );
    }
  });
  spawnSync(join(root, 'node_modules/.bin/biome'), ['format', '--write', `--config-path=${work}`, 'code'], {
    cwd: work,
  });
  const formatted = new Set(readdirSync(join(work, 'code')));
  pages.forEach(({ file, text }, page) => {
    const fitted = text.replace(samples, (block, signature: string | undefined, code: string) => {
      const name = toFile(page, text, code, signature);
      if (!formatted.has(name.slice(work.length + 6))) return block;
      const result = readFileSync(name, 'utf8').trimEnd();
      if (signature === undefined || !isMethod(code)) return `\`\`\`ts${signature ?? ''}\n${result}\n\`\`\``;
      const inner = result.slice(shell.start.length, -shell.end.length).replaceAll(/^ {2}/gm, '');
      return `\`\`\`ts signature\n${inner}\n\`\`\``;
    });
    if (fitted !== text) writeFileSync(file, fitted);
  });
  rmSync(work, { recursive: true });
}
