import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { matchedMessages } from './matched-messages.ts';

const packages = fileURLToPath(new URL('../../packages', import.meta.url));

const sources = readdirSync(packages).flatMap((name) =>
  readdirSync(join(packages, name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => `${name}/src/${file}`),
);

/** Words of others for which there is no code: the platform says it in no other way. */
const allowed: Readonly<Record<string, string>> = {
  'message === badPort': 'fetch reports a port that it blocks as a TypeError without any code',
  "message.startsWith('SASL:')": 'pg gives a login without a password an error without any code',
  "issue.message !== 'Invalid input'": 'zod does not say whether a schema has a message of its own',
};

/** Files that parse a format of others in which a line of text is all there is. */
const parsers: Readonly<Record<string, string>> = {
  'fleet/src/redis/reply-code.ts':
    'an error of the Redis protocol is one line whose first word is its code; the drivers give this line as the message',
};

const found = sources.flatMap((name) =>
  matchedMessages(readFileSync(join(packages, name), 'utf8')).map(({ line, text }) => ({
    place: `${name}:${line}: ${text}`,
    name,
    text,
  })),
);

test('no package makes a decision by the text of an error or message', () => {
  const places = found
    .filter(({ name, text }) => !Object.hasOwn(parsers, name) && !Object.hasOwn(allowed, text))
    .map(({ place }) => place);
  expect(places).toEqual([]);
});

test('every exception is still needed', () => {
  const needed = new Set(found.flatMap(({ name, text }) => [name, text]));
  const exceptions = [...Object.keys(allowed), ...Object.keys(parsers)];
  expect(exceptions.filter((exception) => !needed.has(exception))).toEqual([]);
});

describe('finds', () => {
  test.each([
    ["error.message.includes('another process')"],
    ["(error as Error).message.startsWith('Proxy')"],
    ['/CERT|SIGNED/.test(error.message)'],
    ["error.message === 'fetch failed'"],
    ["if ('not found' === message) retry(); function f({ message }: Error) { return message === 'x'; }"],
    ["const { message } = error; if (message.endsWith('!')) retry();"],
    ['const { message: words } = error; /x/.exec(words);'],
    ["const text = error.message ?? ''; text.split(': ');"],
    [`const first = \`\${error.name} \${error.message}\`; first.match(/x/);`],
    ["switch (error.message) { case 'x': retry(); }"],
    ["failure.hint.replace('orgchat', 'npx orgchat')"],
    ["String(error.stack).length + error.stack.indexOf('at ')"],
  ])('%s', (source) => {
    expect(matchedMessages(source)).not.toEqual([]);
  });
});

describe('accepts', () => {
  test.each([
    [`writeError(\`\${error.message}: \${hint}\`)`],
    ["problems.map(({ message }) => message).join('; ')"],
    ["error.code.startsWith('HTTP_')"],
    ["typeof error.message === 'string'"],
    ['const why = message === undefined ? code : message;'],
    ['if (error.message !== undefined) show(error.message)'],
    ["const { code } = error; code === 'ENOENT'"],
  ])('%s', (source) => {
    expect(matchedMessages(source)).toEqual([]);
  });
});
