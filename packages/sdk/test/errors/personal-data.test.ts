import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { FriendInput, Logger, OrgChatClient } from '../../src/index.ts';
import { anyone, mocked } from '../../test-support/mocked.ts';
import { cutBody, failure, json, lost, type Step, scripted } from '../../test-support/servers/scripted.ts';

/* What is made to be logged has no data of records: `toJSON()`, `inspect` and the log, for each error. */

const { client: demo } = mocked();
const seeded = {
  ...(await anyone(demo)),
  displayName: 'Hanako-Yamada',
  revision: 'f'.repeat(64),
  label: 'Hanako-Yamada',
  notes: 'Allergic-to-peanuts',
  email: 'hanako@example.com',
  phone: '090-1234-5678',
  customFields: { birthday: '1990-04-01-secret' },
};
/** Values that the program gives: what is to be written must not be in a log either. */
const written = { displayName: 'Hana-New-Name', notes: 'Moved-to-Osaka' } as unknown as FriendInput;

const secrets = [
  seeded.displayName,
  seeded.notes,
  seeded.email,
  seeded.phone,
  seeded.customFields.birthday,
  ...Object.values(written).map(String),
];

const text =
  (body: string, status = 200): Step =>
  () =>
    new Response(body, { status, headers: { 'x-request-id': 'req' } });

const whole = JSON.stringify({ record: seeded, records: [seeded], result: seeded });
const page = { records: [seeded], total: 9, limited: true };

/** Answers that make calls fail, most of them with the friend in their body. */
const answers: Readonly<Record<string, readonly Step[]>> = {
  'a refusal': [failure(403, 'FORBIDDEN')],
  'a stale revision': [json({ record: seeded }), failure(409, 'STALE_REVISION')],
  'a conflict of unknown meaning': [
    json({ record: seeded }),
    failure(409, 'WEIRD'),
    json({ record: seeded }),
  ],
  'a lost answer': [json({ record: seeded }), lost],
  'no answer': [lost],
  'an incomplete body': [cutBody()],
  'JSON that was cut': [text(whole.slice(0, -1))],
  'JSON that was cut in a value': [text(`{"displayName":"${seeded.displayName}`)],
  'JSON followed by a page': [text(`${whole}<html>`)],
  'a value before a page': [text(`${seeded.notes}<html>`)],
  'a value in an error': [text(seeded.notes, 503)],
  'a page of an error': [text(whole, 502)],
  'a page of a gateway': [text(whole, 404)],
  'a redirect': [text(whole, 302)],
  'records of another shape': [json({ record: { ...seeded, revision: 1 }, records: [{ ...seeded, id: 1 }] })],
  'a text as a record': [json({ record: seeded.notes, records: seeded.notes, ok: seeded.notes })],
  'a text in a list': [json({ records: [seeded.notes] })],
  'a number and a text where a list is': [json({ ...page, records: { 0: seeded } })],
  'the same page again and again': [json(page)],
  'a result of another shape': [json({ record: seeded }), json({ ok: seeded.notes, result: seeded })],
};

const calls: Readonly<Record<string, (client: OrgChatClient) => PromiseLike<unknown>>> = {
  get: ({ friends }) => friends.get(seeded),
  edit: ({ friends }) => friends.edit(seeded, () => written, { maxAttempts: 1 }),
  'edit with an intent': ({ friends }) =>
    friends.edit(seeded, () => written, { maxAttempts: 1, intent: ['once'] }),
  update: ({ friends }) => friends.update(seeded, written),
  'update of a row': ({ friends }) => friends.update({ ...seeded, revision: undefined } as never, written),
  addTags: ({ friends }) => friends.addTags(seeded, [seeded.userId]),
  setTags: ({ friends }) => friends.setTags(seeded, [seeded.userId]),
  enroll: ({ friends }) => friends.enroll(seeded, seeded.userId),
  list: ({ friends }) => friends.list({ search: seeded.displayName }),
  toArray: ({ friends }) => friends.list({ search: seeded.displayName }).toArray(),
  messages: ({ friends }) => friends.messages(seeded),
  conversations: ({ conversations }) => conversations.list(),
  'find of something else': ({ tags }) => tags.find({ name: seeded.displayName }),
  upsert: ({ tags }) => tags.upsert({ name: seeded.displayName, color: 'pink' }, { by: 'name' }),
  readChat: (client) => client.readChat({ resource: 'friends', search: seeded.displayName }),
};

/** Arguments that are refused before anything is sent. */
const refused: Readonly<Record<string, (client: OrgChatClient) => PromiseLike<unknown>>> = {
  'a record in place of an id': ({ tags }) => tags.get(seeded as never),
  'a name in place of a friend': ({ friends }) => friends.get(seeded.displayName as never),
  'a friend without an account': ({ friends }) => friends.get({ ...seeded, accountId: undefined } as never),
  'a record in place of options': ({ friends }) => friends.get(seeded, seeded.notes as never),
  'a value that JSON does not have': ({ friends }) =>
    friends.update(seeded, { ...written, notes: 1n } as never),
  'a circle': ({ friends }) => {
    const circle: Record<string, unknown> = { ...written };
    circle.self = circle;
    return friends.update(seeded, circle as never);
  },
  'data in place of a function': ({ friends }) => friends.edit(seeded, written as never),
  'a record in place of a language': (client) => client.account({ language: seeded as never }),
};

/** Everything of a call that is made to be logged: the error if there is one, and the lines of the logger. */
async function collectLogs(
  steps: readonly Step[],
  call: (client: OrgChatClient) => PromiseLike<unknown>,
): Promise<{ error: unknown; logged: string }> {
  const lines: unknown[] = [];
  const log = (...line: unknown[]): void => void lines.push(line);
  const logger: Logger = { debug: log, info: log, warn: log };
  const { client } = scripted(steps, { retry: false, logger });
  const error = await (async () => call(client))().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const { stack } = Object(error) as { readonly stack?: string };
  const parts = [JSON.stringify(error), inspect(error, { depth: 12 }), `${error}`, stack];
  return { error, logged: [...parts, inspect(lines, { depth: 12 })].join('\n') };
}

function expectNoSecret(logged: string): void {
  for (const secret of secrets) {
    // An excerpt is a leak, too: some runtimes quote the start of what they could not parse.
    expect(logged).not.toContain(secret);
    expect(logged).not.toContain(secret.slice(0, 6));
  }
}

describe.each(Object.entries(answers))('%s leaves no data of a friend in a log', (_, steps) => {
  test.each(Object.entries(calls))('of %s', async (_name, call) => {
    expectNoSecret((await collectLogs(steps, call)).logged);
  });
});

test.each(Object.entries(refused))('%s is refused without its data', async (_, call) => {
  const { error, logged } = await collectLogs([failure(403, 'FORBIDDEN')], call);
  expect(error).toBeInstanceOf(Error);
  expectNoSecret(logged);
});

test('the calls and answers make errors of many kinds', async () => {
  const kinds = new Set<string>();
  for (const steps of Object.values(answers))
    for (const call of Object.values(calls)) {
      const { error } = await collectLogs(steps, call);
      if (error) kinds.add((error as Error).name);
    }
  for (const name of ['PermissionError', 'StaleRevisionError', 'OutcomeUnknownError', 'ServerError'])
    expect(kinds).toContain(name);
  expect(kinds).toContain('ConnectionError');
});
