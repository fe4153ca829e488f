import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { type ExampleWorld, worldNames } from '../../../packages/sdk/test-support/example-names.ts';
import { openHome, openWorld } from '../../../packages/sdk/test-support/example-world.ts';
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

  it('have no line of code that a page cuts', () => {
    const codes = pages.flatMap(({ text }) =>
      Array.from(text.matchAll(/^```ts.*\n([\s\S]*?)^```$/gm), ([, code = '']) => code.split('\n')),
    );
    expect(codes.length).toBeGreaterThan(200);
    expect(codes.flat().filter((line) => line.length > 72)).toEqual([]);
  });

  it('begin with a call, if a resource has the type', () => {
    const page = pages.find(({ file }) => file.endsWith('interfaces/Friends.md'))?.text ?? '';
    const [[, code = ''] = []] = page.matchAll(codeBlock);
    expect(code).toMatch(/client\.friends\.list\([\s\S]*client\.friends\.addTags\(/);
  });

  it('show how each resource of a client is used, with code that runs', async () => {
    const page = pages.find(({ file }) => file.endsWith('interfaces/OrgChatClient.md'))?.text ?? '';
    const [, resources = ''] = /^## Resources\n([\s\S]*?)^## /m.exec(page) ?? [];
    const codes = Array.from(resources.matchAll(codeBlock), ([, code = '']) => code);
    const examples = codes.filter((code) => /\bclient\./.test(code));
    expect(examples.length).toBeGreaterThan(14);
    const names = worldNames.join(', ');
    const body = examples.map((code) => `run.push(async ({ ${names} }: ExampleWorld) => {\n${code}});`);
    const text = [
      "import type { ExampleWorld } from '../test-support/example-names.ts';",
      'export const run: ((world: ExampleWorld) => Promise<void>)[] = [];',
      ...body,
    ].join('\n');
    const file = `${root}packages/sdk/src/resources.virtual.ts`;
    const program = createProgram(new Map([[file, text]]));
    const compiled = program.getSourceFile(file);
    const problems = [
      ...program.getSyntacticDiagnostics(compiled),
      ...program.getSemanticDiagnostics(compiled),
    ];
    expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
    const exported: { run?: ((world: ExampleWorld) => Promise<void>)[] } = {};
    const { outputText } = ts.transpileModule(text, {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
    });
    new Function('exports', 'console', outputText)(exported, { log: () => undefined });
    const home = await openHome();
    for (const run of exported.run ?? []) await run(openWorld(home).world);
    expect(exported.run).toHaveLength(examples.length);
  });

  it('list what a client can do in one table, without second names', () => {
    const page = pages.find(({ file }) => file.endsWith('interfaces/OrgChatClient.md'))?.text ?? '';
    const rows = page.match(/^\| \[`\w+`\].*$/gm) ?? [];
    const cells = new Map(
      rows.map((row) => [/`(\w+)`/.exec(row)?.[1], row.replaceAll(/\]\([^)]*\)|[[`]/g, '')]),
    );
    expect(cells.get('tags')).toBe(
      '| tags | list | get, find | create, upsert | edit, update | delete | sync |',
    );
    expect(cells.get('friends')).toMatch(/^\| friends \| list \| get \| – \| edit, update \| – \| /);
    expect(page).not.toMatch(/& `?object|`auto-replies`|`rich-menus`/);
  });
});
