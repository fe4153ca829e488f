import { parse } from 'es-module-lexer/js';
import { expect, it } from 'vitest';
import { formatValue } from '../../../docs/site/playground/format-value.ts';
import { toModule, UnknownModuleError } from '../../../docs/site/playground/to-module.ts';

/* The code of the playground becomes a module, and what it prints a text. */

const read = (code: string) => {
  const module = toModule(code, '/playground/');
  const [imports] = parse(module);
  return {
    module,
    imports: imports.map(({ ss, se }) => module.slice(ss, se).replace(/\s+/g, ' ')),
    /** The body of the function, in the lines that the code had. */
    body: module.slice(module.indexOf('=> {') + 4, module.lastIndexOf('\n});')),
  };
};

it.each([
  [
    'of names',
    `import { createClient } from '@orgchat/sdk';`,
    'import { createClient } from "/playground/sdk.js"',
  ],
  ['of the module alone', `import "@orgchat/sdk"`, 'import "/playground/sdk.js"'],
  [
    'over several lines, with comments that have quotes and semicolons',
    `import {\n  createClient, // the client; it's new\n  /* 'quoted' */ OrgChatError,\n} from '@orgchat/sdk';`,
    `import { createClient, // the client; it's new /* 'quoted' */ OrgChatError, } from "/playground/sdk.js"`,
  ],
  [
    'of a namespace, behind another statement',
    `const a = 1; import * as mock from '@orgchat/mock-server/browser'`,
    'import * as mock from "/playground/mock-server.js"',
  ],
])('an import %s is one of the module, and leaves its lines', (_what, code, statement) => {
  const { imports, body } = read(`${code}\nconsole.log(1);`);
  expect(imports.slice(1)).toEqual([statement]);
  expect(body).not.toContain('import');
  expect(body.split('\n')).toHaveLength(code.split('\n').length + 1);
  expect(body.split('\n').at(-1)).toBe('console.log(1);');
});

it.each([
  ['a comment', `/*\nimport { join } from 'path';\n*/`],
  ['a line comment', `// import { join } from 'path';`],
  ['a template', "const text = `\nimport { join } from 'path';\n`;"],
  ['a template in a template', 'const text = `$' + "{`\nimport { join } from 'path';\n`}`;"],
])('what looks like an import in %s stays', (_where, code) => {
  const { imports, body } = read(code);
  expect(imports).toHaveLength(1);
  expect(body).toBe(code);
});

it('a line that begins with a bracket does not continue the line before an import without a semicolon', () => {
  const { body } = read(`const a = 1\nimport '@orgchat/sdk'\n[2].map(String)`);
  expect(body.replace(/\s/g, '')).toBe('consta=1;[2].map(String)');
});

it.each(['lodash', './sdk.js', 'toString'])('an import of "%s" is refused', (name) => {
  expect(() => toModule(`import '${name}';`, '/')).toThrow(UnknownModuleError);
});

it('code with a syntax error is left to the worker, which reports it', () => {
  const code = `import { a from '@orgchat/sdk';\nconst b = {`;
  expect(toModule(code, '/')).toContain(`{${code}\n});`);
});

it.each([
  [Infinity, 'Infinity'],
  [-Infinity, '-Infinity'],
  [NaN, 'NaN'],
  [-0, '0'],
  [null, 'null'],
  [{ ratio: 1 / 0 }, '{\n  "ratio": "Infinity"\n}'],
])('%s is printed as what it is', (value, text) => {
  expect(formatValue(value)).toBe(text);
});
