import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { wrongHints, wrongMentions } from '../test-support/mentions.ts';

const folder = join(import.meta.dirname, '../src');
/** Every source of the package. The `orgchat` of a shell script is not a hint. */
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (name) =>
    name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== join('completion', 'shell-scripts.ts'),
);
/** Literals that name no command: a namespace of operation ids and an entry of the keychain. */
const notCommands = ["'orgchat cli'", "'orgchat probe'"];
/** Strings of the sources. A command that is put into one is a resource; anything else is left out. */
const literals = sources.flatMap((name) => {
  const text = readFileSync(join(folder, name), 'utf8')
    .replaceAll(/orgchat \$\{[^}]*\}/g, 'orgchat tags')
    .replaceAll(/\$\{[^}]*\}/g, 'X');
  return (text.match(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g) ?? [])
    .filter((literal) => literal.includes('orgchat '))
    .map((literal) => [name, literal] as const);
});
const hints = literals
  .filter(([, literal]) => !notCommands.includes(literal))
  .map(([name, literal]) => [name, literal.slice(1, -1)] as const);

describe('hints', () => {
  test('are found in the sources', () => {
    expect(hints.length).toBeGreaterThan(240);
  });

  test('every exception is still needed', () => {
    const found = new Set(literals.map(([, literal]) => literal));
    expect(notCommands.filter((literal) => !found.has(literal))).toEqual([]);
  });

  test.each(hints)('%s: "%s" names commands and options that exist', (_, text) => {
    expect(text.split('\n').flatMap((line) => wrongMentions(line))).toEqual([]);
  });

  test.each([
    [['friends', 'messages', 'U'], '2 of 3 shown; --all prints all, --offset the next.'],
    [['keywords', 'add', 'site', 'x'], '  next: Fix the list, or skip invalid keywords with --skip-invalid.'],
    [['tags', 'list'], 'See orgchat tgas list'],
    [['tags', 'list'], 'See orgchat tags list --evrything'],
  ])('a hint of %j that is wrong is found: %s', (args, line) => {
    expect(wrongHints(args, line, '')).not.toEqual([]);
  });

  test.each([
    [['tags', 'list'], '2 of 3 shown; --all prints all, --offset the next.'],
    [['tags', 'list'], 'Set the key, or log in: orgchat auth login --with-token < key.txt'],
    [['mock', 'wait'], 'Start it with orgchat mock start --detach, or wait longer with --timeout 2m.'],
  ])('a hint of %j that is right is taken: %s', (args, line) => {
    expect(wrongHints(args, line, '')).toEqual([]);
  });
});

/** Expressions in commands that are no names of others: words of this package, ids, and what is quoted before. */
const plainWords = new Set([
  ...[
    'resource',
    'named.resource',
    'owner',
    'verb',
    'what',
    'version',
    'process.versions.node',
    'process.platform',
  ],
  ...[
    'operationId',
    "error.operationId ?? '--all'",
    "error.operationId ?? 'ID'",
    'ready.baseUrl',
    'ready.pid',
  ],
  ...['process.arch', 'resend', 'lookUp', "words.join(' ')", "read.map(toShellWord).join(' ')"],
  ...["skipInvalid ? ' --skip-invalid' : ''", 'list', "parents.length > 1 ? 'shop/aiko' : `"],
]);
/** Where a word of this package has the name of something else elsewhere. */
const plainNames = ['commands/resources.ts name', 'config/apply/apply-result.ts name'].map((one) =>
  one.replaceAll('/', sep),
);

describe('a name in a command that is printed', () => {
  /** What is put behind `orgchat COMMAND`, or a command of the system, on the same line of a template. */
  const inserted = sources.flatMap((name) =>
    (readFileSync(join(folder, name), 'utf8').match(/`(?:[^`\\]|\\.)*`/g) ?? [])
      .flatMap((template) => template.split(/\n|\\n/))
      .flatMap((line) => line.match(/\b(?:orgchat [a-z$]|(?:mv|rm|mkdir -p) \$).*/)?.[0] ?? [])
      .flatMap((line) => Array.from(line.matchAll(/\$\{([^}]*)\}/g), ([, expression = '']) => expression))
      .map((expression) => [name, expression] as const),
  );
  const isQuoted = (name: string, expression: string): boolean =>
    /^(?:toShellWord|moveAway)\(/.test(expression) ||
    plainWords.has(expression) ||
    plainNames.includes(`${name} ${expression}`);

  test('is written as one word of a shell', () => {
    expect(inserted.length).toBeGreaterThan(50);
    expect(inserted.filter(([name, expression]) => !isQuoted(name, expression))).toEqual([]);
  });
});
