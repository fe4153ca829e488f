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
        const [, names = ''] = /^Names used in the examples:\n\n```ts\n([\s\S]*?)^```$/m.exec(text) ?? [];
        return [toFile(`sample-${index}.virtual.ts`), { file, code: code + names }];
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

  it('have no line of code that a page cuts: a signature has more room, and wraps on a phone', () => {
    const lines = pages.flatMap(({ text }) =>
      Array.from(text.matchAll(/^```ts( signature)?\n([\s\S]*?)^```$/gm), ([, kind, code = '']) =>
        code.split('\n').filter((line) => line.length > (kind === undefined ? 72 : 80)),
      ),
    );
    expect(lines.length).toBeGreaterThan(200);
    expect(lines.flat()).toEqual([]);
  });

  it('begin with a call, if a resource has the type', () => {
    const page = pages.find(({ file }) => file.endsWith('interfaces/Friends.md'))?.text ?? '';
    const [[, code = ''] = []] = page.matchAll(codeBlock);
    expect(code).toMatch(/client\.friends\.list\([\s\S]*client\.friends\.update\(/);
  });

  it('show how each resource of a client is used, with code that runs', async () => {
    const page = pages.find(({ file }) => file.endsWith('interfaces/OrgChatClient.md'))?.text ?? '';
    const [, resources = ''] = /^## Resources in detail\n([\s\S]*?)^## /m.exec(page) ?? [];
    // What comes before the first resource defines the names of the others.
    const [, ...sections] = resources.split(/^### /m);
    const codes = Array.from(sections.join('').matchAll(codeBlock), ([, code = '']) => code);
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

  const readPage = (file: string): string => pages.find((page) => page.file === file)?.text ?? '';
  /** Without links and marks of code. */
  const toPlain = (text: string): string => text.replaceAll(/\]\([^)]*\)|[[`]/g, '');
  /** The text of a method, up to the next one. */
  const readMethod = (file: string, name: string): string =>
    readPage(file).split(`\n### ${name}()\n`)[1]?.split('\n### ')[0] ?? '';

  it('say what each resource of a client is, and which methods it has, without second names', () => {
    const page = readPage('interfaces/OrgChatClient.md');
    const text = toPlain(page);
    for (const row of [
      /^Unless the table says otherwise, all of these have list, get, find, create, update, edit, upsert, sync and delete:$/m,
      /^\| client\.tags \| Labels [^|]*\. \|$/m,
      /^\| client\.forms \| [^|]*\. It also has submissions\. \|$/m,
      /^\| client\.richMenus \| [^|]*\. It has no delete\. \|$/m,
      /^\| client\.studio \| .* \| projects, documents, document \|$/m,
    ])
      expect(text).toMatch(row);
    expect(text.match(/^\| client\.\w+ \| .{15,} \|$/gm)?.length).toBe(14 + 1);
    expect(page).not.toMatch(/& `?object|`auto-replies`|`rich-menus`/);
  });

  it('list the methods of a resource, those first that are used most', () => {
    const methods = readPage('interfaces/Configuration.md').match(/(?<=^\| \[`)\w+(?=\(\)`\])/gm);
    expect(methods).toEqual(['list', 'get', 'find', 'create', 'update', 'edit', 'upsert', 'sync', 'delete']);
  });

  it('say what each method does if someone changed the record in the meantime', () => {
    const read = (type: string): Record<string, string> => {
      const rows = toPlain(readPage(`interfaces/${type}.md`)).matchAll(/^\| (\w+)\(\) \| .* \| (.*) \|$/gm);
      return Object.fromEntries(Array.from(rows, ([, name, conflict]) => [name, conflict]));
    };
    expect(read('Friends')).toEqual({
      ...{ list: '–', get: '–', messages: '–', enroll: '–', automations: '–' },
      ...{ addTags: 'Retries', removeTags: 'Retries', editTags: 'Retries', edit: 'Retries' },
      ...{ setTags: 'Fails', update: 'Fails' },
    });
    expect(read('Configuration')).toMatchObject({
      ...{ create: '–', update: 'Fails', delete: 'Fails', edit: 'Retries', upsert: 'Retries' },
    });
  });

  it.each(['Friends', 'Configuration', 'Studio', 'OperationsApi'])(
    'say more about a method of %s than the table above it',
    (type) => {
      const file = `interfaces/${type}.md`;
      const rows = Array.from(readPage(file).matchAll(/^\| \[`(\w+)\(\)`\]\(#.*?\) \| (.*?) \|/gm));
      expect(rows.length).toBeGreaterThan(2);
      for (const [, name = '', row = ''] of rows) {
        const text = readMethod(file, name).replaceAll('\n', ' ');
        expect(text.slice(text.indexOf(row) + row.length)).toMatch(/^ +(?!```)\S/);
      }
    },
  );

  it('begin with how the SDK is installed and called, and link each symbol', () => {
    const page = readFileSync(`${folder}.md`, 'utf8');
    const [, commands = ''] = /^```sh\n([\s\S]*?)^```$/m.exec(page) ?? [];
    expect(readFileSync(`${root}README.md`, 'utf8')).toContain(commands);
    expect(commands).toMatch(/^npm install .*orgchat-sdk/m);
    expect(page.indexOf(commands)).toBeLessThan(page.indexOf("from '@orgchat/sdk'"));
    const without = pages.filter(({ file }) => !page.includes(`(/reference/sdk-api/${file})`));
    expect(without.map(({ file }) => file)).toEqual([]);
  });

  it('have a row for each option of a method, with its type, values and default', () => {
    const list = readMethod('interfaces/Friends.md', 'list');
    expect(list).toContain('| `options.limit?` | `number` | 50 | Records per page, 1 to 50. |');
    expect(list).toContain('| `options.search?` | `string` | any name | ');
    // Those of each call are not listed again.
    expect(list).toMatch(/^\| `options\?` .* the \[options of every call\]\(\/.*\/CallOptions\.md\)/m);
    expect(list).not.toContain('`options.signal?`');
    expect(readMethod('interfaces/Friends.md', 'update').replaceAll('\\|', '|')).toContain(
      "| `data.status?` | `'unread'` | `'in_progress'` | `'resolved'` |",
    );
  });

  it('show the options that options inherit, and those of each call in one sentence', () => {
    const page = toPlain(readPage('interfaces/FriendListOptions.md'));
    const names = page.match(/(?<=^\| *)\w+\?(?= \|)/gm);
    expect(names).toEqual(['accountId?', 'search?', 'limit?', 'offset?', 'maxItems?']);
    expect(page).toMatch(/^It also has the options of every call: signal, timeoutMs, .* and language\.$/m);
  });

  it('say in words what a method returns', () => {
    const say = (name: string): string =>
      readMethod('interfaces/Friends.md', name).split('#### Returns')[1] ?? '';
    expect(say('list')).toMatch(/await` it for one page, or use `for await` for all records/);
    expect(say('get')).toMatch(/await` it for the friend with its `revision`/);
    expect(say('addTags')).toMatch(/outcome, whose `result` is the friend/);
  });

  it('link the types in signatures', () => {
    const html = readFileSync(`${folder}/interfaces/Friends.html`, 'utf8');
    const [signature = ''] = /<div class="signature [\s\S]*?<\/pre>/.exec(html) ?? [];
    const links = Array.from(signature.matchAll(/<a href="[^"]*\/(\w+)">(\w+)<\/a>/g), ([, page, name]) => [
      page,
      name,
    ]);
    expect(links).toEqual(['FriendListOptions', 'RecordList', 'Friend'].map((name) => [name, name]));
  });

  it('define the names in examples', () => {
    expect(readPage('interfaces/Studio.md')).toMatch(
      /^Names used in the examples:\n\n```ts\nconst project = .*\nconst documentId = .*\n```$/m,
    );
  });
});
