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

/** The pages that describe objects of requests. */
const objectPages = ['/reference/api/objects-in-requests', '/reference/api/chat-changes'].map((path) => ({
  path,
  text: readFileSync(new URL(`../.vitepress/generated/pages${path}.md`, import.meta.url), 'utf8'),
}));

/** A type of the contract is described with the API: its signature is a name that is not exported. */
function describeSignature(signature, { name: symbol }) {
  if (!signature.includes('Schemas["')) return signature;
  const page = objectPages.find(({ text }) => text.includes(`{#${symbol}}`));
  const address = page === undefined ? '/reference/api/' : `${page.path}#${symbol}`;
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

/** How a program gets what samples use, by name. */
const definitions = {
  tag: `const tag = await client.tags.get('6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21');`,
  accountId: `const accountId = '1d2c3b4a-5f6e-4a7b-8c9d-0e1f2a3b4c5d';`,
  friend: `const userId = 'U4af4980629f1a2b3c4d5e6f708192a3b';
const friend = await client.friends.get({ accountId, userId });`,
  scenario: `const scenario = { id: '2e3d4c5b-6a7f-4b8c-9d0e-1f2a3b4c5d6e' };`,
  form: `const form = { id: '4c5b6a7f-8e9d-4d0e-8f2a-3b4c5d6e7f80' };`,
  link: `const link = { id: '5b6a7f8e-9d0c-4e1f-9a3b-4c5d6e7f8091' };`,
  project: `const project = { id: '6a7f8e9d-0c1b-4f2a-8b4c-5d6e7f8091a2' };`,
  documentId: `const documentId = '9a8b7c6d-5e4f-4a3b-8c1d-2e3f4a5b6c7d';`,
  organizationId: `const organizationId = '3c4d5e6f-7a8b-4c9d-8e1f-2a3b4c5d6e7f';`,
  id: `const id = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';`,
  order: `const order = { id: 'A-17' };`,
  words: `const words = ['summer', 'sale'];`,
};

/** Where a page says what the names in its samples are. */
export const namesMark = '<!-- names -->';

const declares = (code, value) =>
  new RegExp(
    `\\b(?:const|let)\\s[^=;(]*?\\b${value}\\b(?!:)|\\([^()]*\\b${value}\\b(?!:)[^()]*\\)(?:: \\w+)? =>`,
  ).test(code);

/** Says what the names in samples are, as code that defines them. */
function describeNames(names, known) {
  const isMissing = names.includes('friend') && ![...names, ...known].includes('accountId');
  const needed = isMissing ? ['accountId', ...names] : names;
  const code = needed.map((name) => definitions[name]).join('\n');
  return names.length === 0
    ? ''
    : `::: details Names used in the examples\n\n\`\`\`ts\n${code}\n\`\`\`\n\n:::`;
}

/** Lets the first sample of a page define what it uses, and another one the names of the others. */
export function defineNames(text) {
  const samples = Array.from(text.matchAll(/^```ts\n([\s\S]*?)\n```$/gm), ([, code]) => code);
  const [first] = samples;
  const client = /^const client\b.*;$/m;
  if (first === undefined || !client.test(first)) return text.replace(namesMark, '');
  const isFree = (value) => (code) => usesName(code, value) && !declares(code, value);
  const used = Object.keys(definitions).filter(
    (value) => !declares(first, value) && samples.some(isFree(value)),
  );
  const isEarly = (value) => isFree(value)(first);
  const early = used.filter(isEarly);
  if (early.includes('friend') && !early.includes('accountId')) early.unshift('accountId');
  const define = early.map((value) => `\n${definitions[value]}`).join('');
  const names = describeNames(
    used.filter((value) => !early.includes(value)),
    early,
  );
  const complete = `${first.replace(client, (line) => `${line}${define}`)}\n\`\`\``;
  const isPlaced = text.includes(namesMark);
  return text
    .replace(`${first}\n\`\`\``, () => (isPlaced || names === '' ? complete : `${complete}\n\n${names}`))
    .replace(namesMark, () => names);
}

/** Signatures on one line. What is too long is formatted later. */
export const joinSignatures = (text) =>
  text.replaceAll(/(?<=^```ts signature\n)[^`]*?(?=\n```$)/gm, (signature) =>
    signature
      .replaceAll(/\s*\n\s*/g, ' ')
      .replaceAll(/(?<=[(<[]) | (?=[)\]>])|,(?= ?[)>])/g, '')
      .replaceAll(/(?<=[:=(<]) ?\| /g, (mark) => (mark.startsWith(' ') ? ' ' : ''))
      .replaceAll(/; \}/g, ' }')
      .replaceAll(/, any, any(?=>)/g, '')
      .replaceAll(/\(([^()]*) & object\)/g, '$1')
      .replaceAll(/ & object(?= \||;?$)/g, '')
      .replaceAll(/"([^"']*)"/g, "'$1'"),
  );

/** Types that extend a type, or that it extends, in a line. */
const joinRelatives = (text) =>
  text.replaceAll(/^## (Extends|Extended by)\n\n((?:- .*\n)+)/gm, (_, title, list) => {
    const links = Array.from(list.matchAll(/^- (.*)$/gm), ([, link]) => link);
    return `${title} ${links.join(', ')}.\n`;
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

/** The numbers of clauses in a text, for the end of a page. */
function nameClauses(summary) {
  const [, numbers = ''] = [...summary.matchAll(clauses)][0] ?? [];
  const links = numbers.split(', ').map((number) => `[${number}](/reference/specification#${number})`);
  return numbers === '' ? '' : `\nThe contract describes this in ${links.join(' and ')}.\n`;
}

/** Begins a page with what the symbol is for, its import, and its example. */
export function rearrange(contents, reflection, { types, uses, record, use, methods }) {
  const [, title, signature = '', summary, details = ''] = new RegExp(
    `^\\s*(# .*\\n)\\n*(${codeBlock})?([\\s\\S]*?)(\\n##? [\\s\\S]*)?$`,
  ).exec(contents);
  const example = /\n## Example\n\n```ts\n([\s\S]*?)\n```\n/;
  const [, code = use] = example.exec(details) ?? [];
  const parts = [
    // What a type parameter extends is said below.
    title.replaceAll(/ \*extends\* (?:\[.*?\]\(.*?\)|`[^`]*`)/g, ''),
    uses === '' ? summary : `${summary.replace(clauses, '').trimEnd()} ${uses}`,
    `\`\`\`ts\n${completeExample(reflection.name, types, code)}\n\`\`\`\n`,
    uses === '' ? '' : record,
    describeSignature(signature, reflection).replace(/^```ts\n/, '```ts signature\n'),
    joinRelatives(
      putExamplesFirst(putTypesLast(details))
        .replace(example, '\n')
        .replaceAll(/=> (\\?)\| /g, '=> ')
        // What is not exported has no page.
        .replace(/\n## Extends\n\n(?:- (?!.*\]\().*\n)+(?=\n|$)/, '\n')
        .replaceAll(/\n\*\*\*\n/g, '')
        // A name alone says nothing.
        .replaceAll(
          /^#{2,4} Type Parameters\n\n\| Type.*\n\| -+ \|\n(?:\| <a id="[^"]*"><\/a> `\w+` \|(?:\n|$))+\n?/gm,
          '',
        )
        .replace(/(?<=^## Methods\n)/m, methods === '' ? '' : `\n${methods}\n\n${namesMark}\n`)
        .replaceAll(/`"([^"`\n]*)"`/g, "`'$1'`")
        .replaceAll(/(?<=^```ts\n)readonly (?=\[?\w+\]?[(<])/gm, '')
        // The table says it.
        .replaceAll(/^#### Parameters\n\n(?=\| Parameter)/gm, ''),
    ),
    uses === '' ? '' : nameClauses(summary),
  ];
  return linkClauses(joinSignatures(markSignatures(parts.filter((part) => part.trim() !== '').join('\n'))));
}
