import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ClientEvent, ClientOptions, WriteOptions } from '../../src/index.ts';
import { fileJournal } from '../../src/journal/file/file-journal.ts';
import { memoryJournal } from '../../src/journal/memory.ts';
import { journalFolder } from '../../test-support/journal-folder.ts';
import { getRejection } from '../../test-support/rejection.ts';
import {
  applied,
  failure,
  json,
  lost,
  record,
  replayed,
  type Step,
  scripted,
} from '../../test-support/scripted.ts';

const vip = { name: 'VIP', color: 'pink' } as const;
const intent = ['order', 17];
const local = { replay: 'local' } as const;
const folder = journalFolder();

/** A client of a process of its own, with the journal that all of them share. */
const here = (steps: readonly Step[], options: ClientOptions = local) =>
  scripted(steps, { journal: fileJournal(folder.dir), ...options });

describe('a change that is applied', () => {
  test('is answered from the journal, also in a later process', async () => {
    const first = await here([applied]).client.tags.create(vip, { intent });
    expect(first).toMatchObject({ applied: true, replayed: false, result: record });
    const { client, sent } = here([lost]);
    for (let n = 0; n < 3; n++) {
      const again = await client.tags.create(vip, { intent });
      expect(again).toEqual({ ...first, replayed: true });
    }
    expect(sent).toHaveLength(0);
  });

  test.each<[string, ClientOptions, WriteOptions]>([
    ['of the client', local, {}],
    ['of the call', {}, local],
    ['of a call that overrides the client', { replay: 'server' }, local],
    ['of the client and by operation id', local, { operationId: '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21' }],
  ])('is answered by the option %s', async (_whose, options, call) => {
    const id = call.operationId ? call : { ...call, intent };
    await here([applied], options).client.tags.create(vip, id);
    const { client, sent } = here([lost], options);
    expect(await client.tags.create(vip, id)).toMatchObject({ replayed: true, result: record });
    expect(sent).toHaveLength(0);
  });

  test.each<[string, ClientOptions, WriteOptions]>([
    ['by default', {}, {}],
    ['if the call says so', local, { replay: 'server' }],
  ])('is asked about %s, and no answer is stored', async (_when, options, call) => {
    await here([applied], options).client.tags.create(vip, { intent, ...call });
    expect(fs.readFileSync(folder.only(), 'utf8')).not.toContain(record.id);
    const { client, sent } = here([replayed], options);
    expect(await client.tags.create(vip, { intent, ...call })).toMatchObject({ replayed: true });
    expect(sent).toHaveLength(1);
  });

  test('without a stored answer is asked about once, and then answered from the journal', async () => {
    await here([applied], {}).client.tags.create(vip, { intent });
    const { client, sent } = here([replayed]);
    for (let n = 0; n < 3; n++) {
      expect(await client.tags.create(vip, { intent })).toMatchObject({ replayed: true, result: record });
    }
    expect(sent).toHaveLength(1);
  });

  test('keeps its answer when another call asks the server', async () => {
    await here([applied]).client.tags.create(vip, { intent });
    await here([replayed], {}).client.tags.create(vip, { intent });
    await getRejection(here([failure(403, 'FORBIDDEN')], {}).client.tags.create(vip, { intent }));
    const { client, sent } = here([lost]);
    expect(await client.tags.create(vip, { intent })).toMatchObject({ replayed: true, result: record });
    expect(sent).toHaveLength(0);
  });

  test('is asked about if what is stored is not an answer', async () => {
    const journal = memoryJournal();
    const { client } = scripted([applied], { journal, ...local });
    const { operationId } = await client.tags.create(vip, { intent });
    const [entry] = await client.operations.list();
    if (!entry) throw new Error('the journal is empty');
    await journal.settle({ ...entry, result: { ok: true } });
    const later = scripted([replayed], { journal, ...local });
    expect(await later.client.tags.create(vip, { operationId })).toMatchObject({ replayed: true });
    expect(later.sent).toHaveLength(1);
  });

  test('is refused with other input, and nothing is sent', async () => {
    await here([applied]).client.tags.create(vip, { intent });
    const { client, sent } = here([replayed]);
    const error = await getRejection(client.tags.create({ ...vip, color: 'blue' }, { intent }));
    expect(error).toMatchObject({ name: 'InputConflictError', code: 'INPUT_CONFLICT' });
    expect(sent).toHaveLength(0);
  });

  test('is answered while another call asks the server about it', async () => {
    const journal = memoryJournal();
    await scripted([applied], { journal, ...local }).client.tags.create(vip, { intent });
    const [entry] = await scripted([], { journal }).client.operations.list();
    if (!entry) throw new Error('the journal is empty');
    // Another process has it.
    await journal.claim(entry, { token: 'theirs', deadline: new Date(Date.now() + 60_000).toISOString() });
    const { client, sent } = scripted([lost], { journal, ...local });
    expect(await client.tags.create(vip, { intent })).toMatchObject({ replayed: true, result: record });
    expect(sent).toHaveLength(0);
    expect(await journal.settle({ ...entry, token: 'theirs' })).toBe(true);
  });

  test('has no attempt in its response and its events', async () => {
    await here([applied]).client.tags.create(vip, { intent });
    const events: ClientEvent[] = [];
    const { client } = here([lost], { ...local, onEvent: (event) => void events.push(event) });
    const response = await client.tags.create(vip, { intent }).withResponse();
    expect(response).toMatchObject({ status: 200, attempts: 0, body: { ok: true, replayed: true } });
    expect(events.map(({ type }) => type)).toEqual(['request', 'outcome']);
    expect(events[1]).toMatchObject({ outcome: 'applied', attempts: 0 });
  });

  test('is sent again by resume(), which asks the server', async () => {
    const { operationId } = await here([applied]).client.tags.create(vip, { intent });
    const { client, sent } = here([replayed]);
    expect(await client.operations.resume(operationId)).toMatchObject({ replayed: true });
    expect(sent).toHaveLength(1);
  });
});

describe('a change that is not applied', () => {
  test.each<[string, Step]>([
    ['refused', failure(403, 'FORBIDDEN')],
    ['unknown', lost],
  ])('but %s is sent', async (_state, step) => {
    await getRejection(here([step], { ...local, retry: false }).client.tags.create(vip, { intent }));
    const { client, sent } = here([applied]);
    expect(await client.tags.create(vip, { intent })).toMatchObject({ result: record });
    expect(sent).toHaveLength(1);
  });
});

test('an edit is read, and its change is answered from the journal', async () => {
  const tag = { ...record, ...vip, data: vip };
  const page = json({ record: tag });
  await here([page, applied]).client.tags.edit(tag, (data) => ({ ...data, color: 'blue' }), { intent });
  const { client, sent } = here([page, lost]);
  const outcome = await client.tags.edit(tag, (data) => ({ ...data, color: 'blue' }), { intent });
  expect(outcome).toMatchObject({ replayed: true, result: record });
  expect(sent.map(({ url }) => url.split('/').at(-1))).toEqual(['read']);
});

test('a keyword write is answered from the journal with and without the option', async () => {
  const keywords = { keywords: ['a'] };
  const added = { added: ['a'], skipped: [] };
  await here([json(added)], {}).client.keywords.add('s', keywords, { intent });
  for (const options of [{}, local]) {
    const { client, sent } = here([lost], options);
    const response = await client.keywords.add('s', keywords, { intent }).withResponse();
    expect(response).toMatchObject({ data: added, status: 201, attempts: 0 });
    expect(response.data).toEqual(added);
    expect(sent).toHaveLength(0);
  }
});

test.each([null, 'Local', true, {}])('replay: %j is refused, of a client and of a call', async (replay) => {
  const wrong = { replay } as unknown as typeof local;
  const refusal = { code: 'INVALID_OPTIONS', message: expect.stringContaining("'server' or 'local'") };
  expect(() => here([], wrong)).toThrow(expect.objectContaining(refusal));
  const { client, sent } = here([applied], {});
  expect(await getRejection(client.tags.create(vip, wrong))).toMatchObject(refusal);
  expect(sent).toHaveLength(0);
});
