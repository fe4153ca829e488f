import { expect, test } from 'vitest';
import { getRejection } from '../../test-support/rejection.ts';
import { json, scripted } from '../../test-support/servers/scripted.ts';
import { AbortedError, InvalidInputError, type OrgChatClient } from '../index.ts';

const open = () => scripted([json({ added: ['a'], skipped: [] }, 201)]);

/** Calls as JavaScript does, which passes anything. */
const importAnything = (client: OrgChatClient, ...given: readonly unknown[]): Promise<unknown> =>
  (client.keywords.import as (...anything: readonly unknown[]) => Promise<unknown>)(...given);

test.each<[unknown, RegExp]>([
  [undefined, /requires an iterable of keywords, such as an array; got undefined/],
  [null, /got null/],
  ['summer', /got string/],
  [7, /got number/],
  [{ keywords: ['a'] }, /got object/],
  [Promise.resolve(['a']), /got promise\. Await it first\.$/],
  [['a', ''], /^Keyword 1 is empty\. Nothing was sent\. Correct them, or pass skipInvalid/],
  [
    ['x'.repeat(81), 7, ' '],
    /^Keyword 0 is longer than 80 characters, and 2 more cannot be used\. Nothing was sent/,
  ],
  [['\ud800'], /^Keyword 0 is not valid Unicode/],
])('refuses the keywords %j', async (keywords, message) => {
  const { client, sent } = open();
  const error = await getRejection(importAnything(client, 'site', keywords));
  expect(error).toBeInstanceOf(InvalidInputError);
  expect((error as Error).message).toMatch(message);
  expect(sent).toEqual([]);
});

const store = { read: () => undefined, write: () => undefined };

test.each<[unknown, RegExp]>([
  [5, /^keywords\.import\(\) requires its options as an object; got number/],
  [{ grup: 'x' }, /"grup" is not an option of keywords\.import\(\)\. Options: group, /],
  [{ operationId: '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21' }, /"operationId" is not an option/],
  [{ group: 7 }, /^group must be a string; got number/],
  [{ group: '\ud800' }, /^group must be valid Unicode/],
  [{ group: 'x'.repeat(31) }, /^group must have at most 30 characters/],
  [{ skipInvalid: 'yes' }, /^skipInvalid must be true or false; got string/],
  [{ retryUnknown: 1 }, /^retryUnknown must be true or false; got number/],
  [{ continueAfterUnknown: null }, /^continueAfterUnknown must be true or false; got null/],
  [{ signal: {} }, /^signal must be an AbortSignal; got object/],
  [{ onProgress: true }, /^onProgress must be a function; got boolean/],
  [{ intent: [] }, /at least one part/],
  [{ intent: 'list' }, /must be an array, .*got string/],
  [{ checkpoint: true }, /^checkpoint must have the methods read and write/],
  [{ checkpoint: { read: () => [] } }, /^checkpoint must have the methods read and write/],
  [{ checkpoint: store, intent: ['a'] }, /^Pass either intent or checkpoint/],
  [{ timeoutMs: -1 }, /timeoutMs/],
  [{ retry: { maxAttempts: 0 } }, /maxAttempts/],
  [{ retry: { attempts: 1 } }, /"attempts" is not an option/],
  [{ language: 'fr' }, /language/],
  [{ headers: { authorization: 'x' } }, /authorization/i],
])('refuses the options %j', async (options, message) => {
  const { client, sent } = open();
  let isRead = false;
  function* keywords() {
    isRead = true;
    yield 'a';
  }
  const error = await getRejection(importAnything(client, 'site', keywords(), options));
  expect((error as Error).message).toMatch(message);
  expect(['INVALID_INPUT', 'INVALID_OPTIONS']).toContain((error as InvalidInputError).code);
  expect([sent, isRead]).toEqual([[], false]);
});

test.each(['', '..', 7])('refuses the site %j', async (siteId) => {
  const { client, sent } = open();
  expect(await getRejection(importAnything(client, siteId, ['a']))).toBeInstanceOf(InvalidInputError);
  expect(sent).toEqual([]);
});

test.each<[object, RegExp]>([
  [{ retry: false }, /"retry" is not an option of resume\(\)/],
  [{ retryUnknown: 'yes' }, /^retryUnknown must be true or false/],
  [{ signal: 1 }, /^signal must be an AbortSignal/],
])('resume() refuses the options %j', async (options, message) => {
  const { client, sent } = open();
  const { resume } = await client.keywords.import('site', ['a']);
  const error = await getRejection(resume(options));
  expect((error as Error).message).toMatch(message);
  expect(sent).toHaveLength(1);
});

test('keywords that cannot be used are left out with skipInvalid', async () => {
  const { client, sent } = open();
  const { added, invalid } = await client.keywords.import('site', ['a', '', 'x'.repeat(81)], {
    skipInvalid: true,
  });
  expect([added, JSON.parse(sent[0]?.body ?? '')]).toEqual([['a'], { keywords: ['a'] }]);
  expect(invalid.map(({ index, reason }) => [index, reason])).toEqual([
    [1, 'empty'],
    [2, 'longer than 80 characters'],
  ]);
});

test('a source that fails rejects with its error, and nothing is sent', async () => {
  const { client, sent } = open();
  const failed = new Error('the file ended');
  async function* source() {
    yield 'a';
    throw failed;
  }
  expect(await getRejection(client.keywords.import('site', source()))).toBe(failed);
  expect(sent).toEqual([]);
});

test('an abort ends the reading of a source that gives nothing, and closes it', async () => {
  const { client, sent } = open();
  const controller = new AbortController();
  let isClosed = false;
  const source: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => setImmediate(() => controller.abort(new Error('enough')))),
      return: async () => {
        isClosed = true;
        throw new Error('ignored');
      },
    }),
  };
  const error = await getRejection(client.keywords.import('site', source, { signal: controller.signal }));
  expect(error).toBeInstanceOf(AbortedError);
  expect((error as Error).message).toMatch(/^The signal aborted the import\. Nothing was sent\./);
  expect([(error as Error).cause, isClosed, sent]).toEqual([new Error('enough'), true, []]);
});

test('what the caller does to list and options afterwards has no effect', async () => {
  const { client, sent } = open();
  const list = ['a'];
  const options = { group: 'a' };
  const running = client.keywords.import('site', list, options);
  list.pop();
  options.group = 'b';
  await running;
  expect(JSON.parse(sent[0]?.body ?? '')).toEqual({ keywords: ['a'], group: 'a' });
});
