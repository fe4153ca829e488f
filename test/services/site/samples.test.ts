import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { worldNames } from '../../../packages/sdk/test-support/example-names.ts';
import { createProgram } from '../../../packages/sdk/test-support/public-symbols.ts';
import { dist, root } from './open-site.ts';

/* The pages of the SDK's symbols, which are made from docstrings. */

const folder = `${dist}/reference/sdk-api`;
const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => ({ file, text: readFileSync(`${folder}/${file}`, 'utf8') }));
const codeBlock = /^```ts\n([\s\S]*?)^```$/gm;

describe('the pages of the SDK', () => {
  it('have no tag of a docstring', () => {
    expect(pages.length).toBeGreaterThan(100);
    const found = pages.flatMap(({ file, text }) =>
      Array.from(text.matchAll(/^\s*@\w+.*$|\{@\w+.*/gm), ([tag]) => `${file}: ${tag}`),
    );
    expect(found).toEqual([]);
  });

  it('begin with a program that compiles: it imports what it calls', () => {
    const toFile = (name: string): string => `${root}packages/sdk/src/${name}`;
    const samples = new Map(
      pages.map(({ file, text }, index) => {
        const [[, code = ''] = []] = text.matchAll(codeBlock);
        return [toFile(`sample-${index}.virtual.ts`), { file, code }];
      }),
    );
    const without = Array.from(samples.values()).filter(({ code }) => !code.startsWith('import '));
    expect(without.map(({ file }) => file)).toEqual([]);
    // What an example of a docstring may use besides what the package exports.
    const world = worldNames
      .filter((name) => name !== 'client')
      .map(
        (name) =>
          `declare const ${name}: import('../test-support/example-names.ts').ExampleWorld['${name}'];`,
      )
      .join('\n');
    const program = createProgram(
      new Map([
        [toFile('world.virtual.d.ts'), world],
        ...Array.from(samples, ([path, { code }]) => [path, code] as const),
      ]),
    );
    const problems = Array.from(samples, ([path, { file }]) => {
      const compiled = program.getSourceFile(path);
      return [...program.getSyntacticDiagnostics(compiled), ...program.getSemanticDiagnostics(compiled)].map(
        ({ messageText }) => `${file}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
      );
    }).flat();
    expect(problems).toEqual([]);
  });
});
