import { expect, test } from 'vitest';
import { repeatJournal } from './repeat-journal.ts';

const url = 'postgres://ci@db/orgchat';

test.each([
  ['Resend it: orgchat ops resume --all', `Resend it: orgchat --journal ${url} ops resume --all`],
  [
    'orgchat ops list. orgchat config diff F',
    `orgchat --journal ${url} ops list. orgchat --journal ${url} config diff F`,
  ],
  ['Check the key: orgchat doctor', 'Check the key: orgchat doctor'],
])('names the journal in %j', (text, expected) => {
  expect(repeatJournal(text, url)).toBe(expected);
  expect(repeatJournal(text, undefined)).toBe(text);
});

test('quotes what a shell would interpret', () => {
  const quoted = "'postgres://h/d?schema=a&b='\\''$&'";
  expect(repeatJournal('orgchat ops list', "postgres://h/d?schema=a&b='$&")).toBe(
    `orgchat --journal ${quoted} ops list`,
  );
});
