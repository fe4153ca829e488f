import { describe, expect, test } from 'vitest';
import { json, scripted } from '../../../sdk/test-support/servers/scripted.ts';
import { readBounded, readOne, readPage, requireShape } from './fetch-records.ts';

const clientOf = (body: unknown, status = 200) => scripted([json(body, status)], { retry: false }).client;

describe('an answer of another shape', () => {
  test.each([
    [{}, 'no list at /records'],
    [{ records: 'none' }, 'no list at /records'],
    [{ records: null }, 'no list at /records'],
    [{ items: [] }, 'shapes.list.records'],
    [{ records: [1] }, 'Row 0'],
    [{ records: [{ name: 'VIP' }] }, 'the field id is missing'],
  ])('to a list: %j', async (body, found) => {
    const code = 'UNEXPECTED_ANSWER';
    const message = expect.stringContaining(found);
    await expect(readPage(clientOf(body), 'tags', {})).rejects.toMatchObject({ code, message });
    await expect(readBounded(clientOf(body), 'accounts', {})).rejects.toMatchObject({ code, message });
  });

  test('to a list of records without the data that the contract promises', async () => {
    const reading = readPage(clientOf({ records: [{ id: 'a' }] }), 'tags', {});
    await expect(reading).rejects.toMatchObject({
      code: 'UNEXPECTED_ANSWER',
      message: expect.stringMatching(
        /^The API returned an unexpected response shape for tags\. .*name is missing/,
      ),
      hint: expect.stringContaining('orgchat help server'),
    });
  });

  test.each([
    [{}, 'no record at "/record"'],
    [{ record: null }, 'no record at "/record"'],
    [{ record: 'VIP' }, 'no record at "/record"'],
    [{ records: [{ id: 'x' }] }, 'shapes.one'],
    [{ record: { id: 'x', name: 'VIP' } }, 'the field color is missing'],
  ])('to a read of one record: %j', async (body, found) => {
    const reading = readOne(clientOf(body), 'tags', { id: 'x' });
    await expect(reading).rejects.toMatchObject({
      code: 'UNEXPECTED_ANSWER',
      message: expect.stringContaining(found),
    });
  });

  test('to a list of Studio', async () => {
    const pages = clientOf({ projects: [1], next: null })
      .studio.projects()
      .pages();
    const reading = requireShape('Studio projects', pages[Symbol.asyncIterator]().next());
    await expect(reading).rejects.toMatchObject({
      message: expect.stringMatching(
        /^The API returned .* for Studio projects\. projects\[0\] must be an object/,
      ),
    });
  });
});

test('a page has its records as they were sent, and what the server says of the list', async () => {
  const records = [{ id: 'a', name: 'VIP', color: 'blue', revision: '1', label: 'VIP', usedBy: 3 }];
  expect(await readPage(clientOf({ records, total: 1, limited: true, next: 'b' }), 'tags', {})).toEqual({
    records,
    total: 1,
    limited: true,
  });
  // What the contract does not show may be anything.
  expect(await readPage(clientOf({ records, total: '1', limited: null }), 'tags', {})).toEqual({ records });
});

test('any other failure stays what it is', async () => {
  const failing = clientOf({ error: 'UNEXPECTED_SHAPE', message: '?' }, 500);
  await expect(readPage(failing, 'tags', {})).rejects.toMatchObject({
    code: 'UNEXPECTED_SHAPE',
    status: 500,
  });
});
