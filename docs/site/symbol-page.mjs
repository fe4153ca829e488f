import { readFileSync } from 'node:fs';

/* A page of a symbol: first what it is for, how it is imported, and an example. */

const name = '@orgchat/sdk';

/** What each entry point exports at run time. A name is imported from the first that has it. */
const modules = await Promise.all(
  [
    [name, 'index'],
    [`${name}/node`, 'node'],
  ].map(async ([module, entry]) => [
    module,
    Object.keys(await import(new URL(`../../packages/sdk/dist/esm/${entry}.js`, import.meta.url))),
  ]),
);

/** Numbers of clauses in a text: ` (4.3, 4.4)`. */
export const clauses = / \((\d+(?:\.\d+)+(?:, \d+(?:\.\d+)+)*)\)/g;

const codeBlock = '```ts\\n(?:[\\s\\S]*?)\\n```\\n';

const objects = readFileSync(
  new URL('../.vitepress/generated/pages/reference/api/objects-in-requests.md', import.meta.url),
  'utf8',
);

/** A type of the contract is described with the API: its signature is a name that is not exported. */
function describeSignature(signature, { name: symbol }) {
  if (!signature.includes('Schemas["')) return signature;
  const isObject = objects.includes(`{#${symbol}}`);
  const address = isObject ? `/reference/api/objects-in-requests#${symbol}` : '/reference/api/';
  return `The [API](${address}) says what it can be.\n`;
}

/** Whether code uses a name other than as a member or a key. Comments and strings do not count. */
const usesName = (code, value) =>
  new RegExp(`(?<![.\\w$])${value}\\b(?!:)`).test(code.replaceAll(/\/\/.*|'[^'\n]*'|\/\*[\s\S]*?\*\//g, ''));

/** Code as a program of its own: it imports the symbol and each export that it uses, and creates the client that it calls. */
function completeExample(symbol, types, example) {
  const hasClient = !/\bclient\b/.test(example) || /\b(?:const|using) client\b/.test(example);
  const code = hasClient ? example : `const client = createClient();\n${example}`;
  const known = new Set();
  const imports = modules.map(([module, values]) => {
    const own = [...values, ...(module === name ? types.filter((type) => !values.includes(type)) : [])];
    const used = own.filter(
      (one) =>
        !known.has(one) && ((one === symbol && (code === '' || values.includes(one))) || usesName(code, one)),
    );
    for (const one of used) known.add(one);
    const areTypes = used.every((one) => !values.includes(one));
    const names = used.map((one) => (areTypes || values.includes(one) ? one : `type ${one}`));
    const line = `import ${areTypes ? 'type ' : ''}{ ${names.join(', ')} } from '${module}';`;
    if (names.length === 0 || line.length <= 72) return names.length === 0 ? '' : line;
    return line.replace('{ ', '{\n  ').replaceAll(', ', ',\n  ').replace(' }', ',\n}');
  });
  const head = imports.filter((line) => line !== '').join('\n');
  return code === '' ? head : `${head}\n\n${code}`;
}

/** Signatures that fit on one line are on one. */
const joinSignatures = (text) =>
  text.replaceAll(/(?<=^```ts\n)[^`]*?\(\n[^`]*?(?=\n```$)/gm, (signature) => {
    const line = signature
      .replaceAll(/\(\n +/g, '(')
      .replaceAll(/, *\n +/g, ', ')
      .replaceAll(/ *\n\)/g, ')');
    return line.length <= 80 ? line : signature;
  });

/** Numbers of clauses outside code as links. */
export const linkClauses = (text) =>
  text
    .split(/^(```[\s\S]*?^```)$/m)
    .map((piece, index) =>
      index % 2 === 1
        ? piece
        : piece.replaceAll(clauses, (_, numbers) => {
            const links = numbers
              .split(', ')
              .map((number) => `[${number}](/reference/specification#${number})`);
            return ` (contract ${links.join(', ')})`;
          }),
    )
    .join('');

/** Lets the example of a method follow its text, before the tables of its parameters. */
const putExamplesFirst = (text) =>
  text
    .split(/^(?=##{1,2} )/m)
    .map((section) => {
      const [found, code] = /^#### Example\n\n(```ts\n[\s\S]*?\n```\n)\n*/m.exec(section) ?? [];
      return found === undefined
        ? section
        : section.replace(found, '').replace(/(?=^#### )|$(?![\s\S])/m, `${code}\n`);
    })
    .join('');

/** Puts what the type parameters are behind the methods. */
const putTypesLast = (text) => {
  const [types = ''] = /^## Type Parameters\n[\s\S]*?(?=^## )/m.exec(text) ?? [];
  return types === '' || !text.includes('\n## Methods')
    ? text
    : `${text.replace(types, '').trimEnd()}\n\n${types}`;
};

/** A block of code below a heading is a signature. */
const markSignatures = (text) =>
  text.replaceAll(/(?<=^#{2,4} (?!Example).*\n\n)```ts\n/gm, '```ts signature\n');

/** Begins a page with what the symbol is for, its import, and its example. */
export function rearrange(contents, reflection, types, uses, use) {
  const [, title, signature = '', summary, details = ''] = new RegExp(
    `^\\s*(# .*\\n)\\n*(${codeBlock})?([\\s\\S]*?)(\\n##? [\\s\\S]*)?$`,
  ).exec(contents);
  const example = /\n## Example\n\n```ts\n([\s\S]*?)\n```\n/;
  const [, code = use] = example.exec(details) ?? [];
  const parts = [
    title,
    summary,
    uses,
    `\`\`\`ts\n${completeExample(reflection.name, types, code)}\n\`\`\`\n`,
    joinSignatures(describeSignature(signature, reflection)).replace(/^```ts\n/, '```ts signature\n'),
    joinSignatures(
      putExamplesFirst(putTypesLast(details))
        .replace(example, '\n')
        .replaceAll(/#### Parameters\n\n\| Parameter \| Type \|\n(?:\|.*\n)+\n?/g, '')
        .replaceAll(/=> (\\?)\| /g, '=> ')
        // What is not exported has no page.
        .replace(/\n## Extends\n\n(?:- (?!.*\]\().*\n)+(?=\n|$)/, '\n')
        .replaceAll(/\n\*\*\*\n/g, '')
        .replaceAll(/ - (?=\|$)/gm, ' ')
        // The rows below it say what such an object has.
        .replaceAll(/ \| `object` \| /g, ' |  | ')
        .replaceAll(/(?<=^```ts\n)readonly (?=\[?\w+\]?[(<])/gm, ''),
    ),
  ];
  return linkClauses(markSignatures(parts.filter((part) => part.trim() !== '').join('\n')));
}
