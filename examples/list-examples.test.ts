import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { listExamples, readFirstComment } from './list-examples.ts';

const examples = listExamples();

it('the list has each example once', () => {
  const folders = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'test-support')
    .map(({ name }) => name);
  expect(examples.map(({ name }) => name).sort()).toEqual(folders.sort());
});

it.each(examples)('$name begins with what the list says of it, in one line', ({ name, file, lesson }) => {
  const code = readFileSync(new URL(`${name}/${file}`, import.meta.url), 'utf8');
  const comment = readFirstComment(code).replace(/\s+/g, ' ');
  expect(comment.slice(0, lesson.length)).toBe(lesson);
  expect(lesson).toMatch(/^[A-Z].{20,110}\.$/);
});

it.each(examples)('$name is offered to run alone only if it says so itself', ({ name, file }) => {
  const code = readFileSync(new URL(`${name}/${file}`, import.meta.url), 'utf8');
  expect(readFirstComment(code).includes(`npm run example ${name}`)).toBe(file === 'index.ts');
});

it.each([
  ['/* One line. */\nimport x;', 'One line.'],
  ['/*\n * Two\n * lines.\n */\n', 'Two\nlines.'],
  ['"""Python."""\nimport os', 'Python.'],
  ['// Go,\n// two lines.\npackage main\n', 'Go,\ntwo lines.'],
  ['import x;\n/* Later. */', ''],
])('the first comment of %j is read', (code, comment) => {
  expect(readFirstComment(code)).toBe(comment);
});
