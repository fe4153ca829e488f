import { expect, test } from 'vitest';
import type { CliError } from '../errors/cli-error.ts';
import { readFriendList } from './read-friend-list.ts';

const [one, two] = [`U${'1'.repeat(32)}`, `U${'2'.repeat(32)}`];

test.each([
  [`${one}\n${two}`, [one, two]],
  [`  ${one}  \r\n\r\n${two}\r\n`, [one, two]],
  [`Demo shop/${one}\nDemo shop ${two}`, [`Demo shop/${one}`, `Demo shop/${two}`]],
  [`a/b/${one}`, [`a/b/${one}`]],
  [`{"userId":"${one}","accountId":"acc"}\n{"userId":"${two}","notes":null}`, [`acc/${one}`, two]],
  [`${one}\n${one}\nA/${one}\nA ${one}`, [one, `A/${one}`]],
])('%j', (text, friends) => {
  const shown = readFriendList(text).map(({ account, user }) =>
    account === undefined ? user : `${account}/${user}`,
  );
  expect(shown).toEqual(friends);
});

test.each([
  ['Emi Sato', 'line 1: not a friend id'],
  [`${one}x`, 'line 1: not a friend id'],
  [`${one}\n\n{"userId":"x"}`, 'line 3: it has no userId'],
  ['{"userId":', 'line 1: not valid JSON'],
  [`{"userId":"${one}","userId":"${two}"}`, 'line 1: a key is in it twice'],
  [`{"userId":"${one}","accountId":7}`, 'line 1: its accountId is not a text'],
  ['[]', 'line 1: not a friend id'],
  [' \n', 'No friends found'],
])('%j is refused', (text, problem) => {
  expect(() => readFriendList(text)).toThrow(problem);
});

test('of many invalid lines the first ones are listed', () => {
  const list = () => readFriendList(Array.from({ length: 500 }, (_, n) => `x${n}`).join('\n'));
  let error: CliError | undefined;
  try {
    list();
  } catch (thrown) {
    error = thrown as CliError;
  }
  expect(error?.listed).toHaveLength(11);
  expect(error?.listed.at(-1)).toBe('and 490 more');
});
