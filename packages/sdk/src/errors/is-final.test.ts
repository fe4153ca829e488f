import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { getRejection } from '../../test-support/rejection.ts';
import {
  failure,
  html,
  json,
  lost,
  record,
  refusedConnection,
  type Step,
  scripted,
} from '../../test-support/servers/scripted.ts';
import { type CodeMeaning, codeMeanings } from '../generated/code-meanings.ts';
import {
  type ErrorDetails,
  type ErrorOutcome,
  type FriendRef,
  isFinal,
  type OrgChatClient,
  OrgChatError,
} from '../index.ts';

const meanings = Object.keys(codeMeanings) as CodeMeaning[];
const serverCodes = [...meanings.map((meaning) => codeMeanings[meaning].code), 'A_CODE_OF_TOMORROW'];
const ownCodes =
  readFileSync(new URL('codes.ts', import.meta.url), 'utf8').match(/(?<=^ {2}\| ')[A-Z_]+/gm) ?? [];

describe('of all outcomes, codes and meanings, final are', () => {
  const outcomes: (ErrorOutcome | undefined)[] = ['applied', 'refused', 'abandoned', 'unknown', undefined];
  const listFinal = (of: Pick<ErrorDetails, 'status' | 'meaning'>, codes: readonly string[]): string[] =>
    outcomes.flatMap((outcome) =>
      codes.flatMap((code) =>
        isFinal(new OrgChatError('no', { ...of, code, outcome })) ? [`${outcome} ${code}`] : [],
      ),
    );

  test('without an answer: a refused argument of what is not applied', () => {
    expect(ownCodes.length).toBeGreaterThan(25);
    const argument = ['refused INVALID_INPUT', 'abandoned INVALID_INPUT', 'undefined INVALID_INPUT'];
    expect(listFinal({}, ownCodes)).toEqual(argument);
  });

  test.each([...meanings, 'a meaning of tomorrow', undefined])('with the meaning %s', (meaning) => {
    const isOfCall = meaning === 'invalidInput' || meaning === 'notFound';
    // What was not sent was not refused.
    const answered = ['refused', 'undefined'];
    const all = answered.flatMap((outcome) => serverCodes.map((code) => `${outcome} ${code}`));
    expect(listFinal({ status: 400, meaning }, serverCodes)).toEqual(isOfCall ? all : []);
  });
});

const vip = { name: 'VIP', color: 'pink' } as const;
const calls: Readonly<Record<string, (client: OrgChatClient) => PromiseLike<unknown>>> = {
  'a read': ({ tags }) => tags.get(record.id),
  'the read of an edit': ({ tags }) => tags.edit(record.id, (data) => data),
  'a change': ({ tags }) => tags.create(vip),
  'a change with an intent': ({ tags }) => tags.create(vip, { intent: ['vip'] }),
  'a deletion': ({ tags }) => tags.delete(record),
  keywords: ({ keywords }) => keywords.add('site', { keywords: ['a'] }),
};
const both = ['400 INVALID_INPUT', '404 NOT_FOUND'];
const answers = [400, 401, 403, 404, 405, 408, 409, 410, 413, 422, 429, 500, 503].flatMap((status) =>
  serverCodes.map((code) => ({ name: `${status} ${code}`, step: failure(status, code) })),
);

describe('of all answers, final for', () => {
  test.each(Object.entries(calls))('%s are those about the call', async (_, call) => {
    const final: string[] = [];
    for (const { name, step } of answers)
      if (isFinal(await getRejection(call(scripted([step], { retry: false }).client)))) final.push(name);
    expect(final).toEqual(both);
  });

  test.each([
    ['a read', both],
    // A 400 says nothing about the attempt whose answer was lost.
    ['a change', ['404 NOT_FOUND']],
    ['a change with an intent', ['404 NOT_FOUND']],
    ['keywords', []],
  ])('%s, after an answer that was lost: %j', async (name, expected) => {
    const final: string[] = [];
    for (const answer of answers) {
      const { client } = scripted([lost, answer.step], {
        retry: { maxAttempts: 2, baseDelayMs: 1, maxDelayMs: 1 },
      });
      if (isFinal(await getRejection(calls[name]!(client)))) final.push(answer.name);
    }
    expect(final).toEqual(expected);
  });

  test.each(Object.entries(calls))('%s: never one that is missing, or of something else', async (_, call) => {
    for (const step of [lost, refusedConnection, html(200), html(400), html(404), html(502)])
      expect(isFinal(await getRejection(call(scripted([step], { retry: false }).client)))).toBe(false);
  });
});

test('an account that is not served says nothing about a call', async () => {
  const empty = json({ records: [], total: 0, limited: false });
  const missing = failure(404, 'NOT_FOUND');
  const answer: Step = (request, body) => (request.url.endsWith('/me') ? missing : empty)(request, body);
  for (const call of [
    ({ tags }: OrgChatClient) => tags.upsert(vip, { by: 'name' }),
    ({ account }: OrgChatClient) => account(),
  ]) {
    const error = await getRejection(call(scripted([answer, answer, answer], { retry: false }).client));
    expect(error).toMatchObject({ code: 'NOT_FOUND', status: 404 });
    expect(error).not.toHaveProperty('meaning');
    expect(isFinal(error)).toBe(false);
  }
});

test('a wrong argument is final, and nothing is sent', async () => {
  const { client, sent } = scripted([failure(503, 'X')]);
  const friend = { accountId: 'a' } as FriendRef;
  for (const call of [
    client.friends.enroll(friend, 'x'),
    client.friends.addTags(friend, ['x']),
    client.tags.create(vip, { intent: [] }),
    client.keywords.add('..', { keywords: ['a'] }),
  ])
    expect(isFinal(await getRejection(call))).toBe(true);
  expect(sent).toEqual([]);
});

test.each([new TypeError('x'), { code: 'INVALID_INPUT' }, 'x', undefined, null])(
  'what is not an error of the SDK may pass (%s)',
  (error) => {
    expect(isFinal(error)).toBe(false);
  },
);
