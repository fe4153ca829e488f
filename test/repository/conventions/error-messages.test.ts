import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { matchedMessages, passedMessages } from './matched-messages.ts';

const packages = fileURLToPath(new URL('../../../packages', import.meta.url));

const sources = readdirSync(packages).flatMap((name) =>
  readdirSync(join(packages, name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test(?:-d)?\.tsx?$/.test(file))
    .map((file) => `${name}/src/${file}`),
);

/** Words of others for which there is no code: the platform says it in no other way. */
const foreign: Readonly<Record<string, string>> = {
  'message === badPort': 'fetch reports a port that it blocks as a TypeError without any code',
  "message.startsWith('SASL:')": 'pg gives a login without a password an error without any code',
  "issue.message !== 'Invalid input'": 'zod does not say whether a schema has a message of its own',
};

/** Layout: whatever the text says, nothing else depends on it. */
const layout: Readonly<Record<string, string>> = {
  'because.match(sentence)': 'each sentence is a paragraph',
  'event.charAt(0)': 'a sentence begins with a capital letter',
  'event.slice(1)': 'the rest of that sentence',
  "text.split('; ')":
    'help says only the first part of what a field is, without null, for which flags say none',
  "reason.replace(/\\s+/g, ' ')": 'a message of SQLite is printed on one line',
  'text.replaceAll(commands, () => `orgchat --journal ${toShellWord(journal)} `)':
    'a command in a hint is written with the journal that it needs',
};

/** Secrets and control characters, which are removed from every text that is shown. */
const cleaned: Readonly<Record<string, string>> = {
  "shown?.replaceAll(apiKey, '[api key]')": 'a server may repeat the key of a request in its message',
  "text.replaceAll(/,? with args beginning with: .*/g, '')":
    'Redis repeats the arguments of a command that it does not know, such as passwords',
  "text .replaceAll(forbidden, '')": 'a JUnit report must not contain what XML forbids',
  'text.replace(controlCharacters, escapeCharacter)': 'a message of a server is logged on one line',
};

/** Files that parse a format of others in which a line of text is all there is. */
const parsers: Readonly<Record<string, string>> = {
  'fleet/src/redis/reply-code.ts':
    'an error of the Redis protocol is one line whose first word is its code; the drivers give this line as the message',
};

const read = (name: string): string => readFileSync(join(packages, name), 'utf8');
const passed = new Set(sources.flatMap((name) => passedMessages(read(name), name).imported));

const found = sources.flatMap((name) =>
  matchedMessages(read(name), name, passed).map(({ line, text }) => ({
    place: `${name}:${line}: ${text}`,
    name,
    text,
  })),
);

const allowed = { ...foreign, ...layout, ...cleaned };

test('no package makes a decision by a text for people: a message, a hint or a label', () => {
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
    ["failure.hint.replace('orgchat', 'npx --no -- orgchat')"],
    ["String(error.stack).length + error.stack.indexOf('at ')"],
    ["const isProfile = target.baseUrlFrom.startsWith('profile ');"],
    ["function parse(text: string, from: string) { if (from.startsWith('--')) refuse(text); }"],
    ["const rule = { hint: ({ from }: Setting) => (from === 'ORGCHAT_JOURNAL' ? first : second) };"],
    ["const { tryThis = '' } = await response.json(); key = /Bearer ([^']+)'/.exec(tryThis)?.[1];"],
    ['because.split(/(?<=\\.) (?=Use )/)'],
    ["<h3>{title.split(' ')[0]}</h3>"],
    ["checkLabel.endsWith('address')"],
    ["if (['fetch failed', 'terminated'].includes(error.message)) retry();"],
    ["const lost = ['fetch failed'] as const; if (lost.includes(error.message)) retry();"],
    ['if (lost.has(error.message)) retry();'],
    ['const code = codes.get(error.message);'],
    ['const code = codes[error.message];'],
    ['if (Object.hasOwn(codes, error.message) || error.message in codes) retry();'],
    ["function style(hint: string) { return hint.replace('orgchat', 'npx --no -- orgchat'); }"],
    ["function style(description: string) { return description.split('; ')[0]; }"],
    ["const short = field.description.replace(/, or null.*$/, '');"],
    ["function repeat(text: string) { return text.replace('a', 'b'); } print(repeat(error.hint));"],
    ["const isOf = (text: string) => text.startsWith('The '); if (isOf(error.message)) retry();"],
    ["describeProblem(error, given, 'en').replace(/^The body /, 'It ')"],
    ['if (this.output.formatSource(source).match(/^profile/)) refuse();'],
    [`const found = \`profile \${name}\`; if (found.startsWith('profile ')) refuse();`],
    [`const found = asked ? '--base-url' : \`profile \${name}\`; if (found === '--base-url') refuse();`],
    [
      `const [url, place] = asked ? [asked, '--x'] : [stored, \`profile \${name}\`]; place.includes('profile');`,
    ],
  ])('%s', (source) => {
    expect(matchedMessages(source, 'source.tsx')).not.toEqual([]);
  });
});

test('finds a text that is passed to a function of another file', () => {
  const passed = new Set(
    passedMessages("import { repeat } from './repeat.ts'; print(repeat(first, error.hint));").imported,
  );
  const source = "export function repeat(name: string, text: string) { return text.replace('a', 'b'); }";
  expect(matchedMessages(source, 'source.ts', passed)).not.toEqual([]);
  expect(matchedMessages(source)).toEqual([]);
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
    ["source.kind === 'profile' && name.startsWith('profile ')"],
    [`const path = \`\${folder}/\${name}.json\`; path.endsWith('.json')`],
    ["print(describeProblem(error).split('\\n'))"],
    ['describeJson(before) === now'],
    ['record.label === label'],
    ["function repeat(text: string) { return text.replace('a', 'b'); } print(repeat(name));"],
    ['if (path.includes(title) || names.get(id) === undefined) draw(titles[index]);'],
    ["error.reason === 'inUse'"],
    ['if (from === null || change.from === undefined || to > from) draw();'],
  ])('%s', (source) => {
    expect(matchedMessages(source)).toEqual([]);
  });
});
