import { json, scripted } from '@orgchat/sdk/test-support/scripted';
import { describe, expect, test } from 'vitest';
import { readBounded, readOne, readPage, requireShape } from './fetch-records.ts';

const clientOf = (body: unknown, status = 200) => scripted([json(body, status)], { retry: false }).client;

describe('an answer of another shape', () => {
  test.each([{}, { records: 'none' }, { records: [1] }, { records: null }])('to a list: %j', async (body) => {
    const error = {
      code: 'UNEXPECTED_ANSWER',
      message: 'The API returned an unexpected response shape for tags.',
    };
    await expect(readPage(clientOf(body), 'tags', {})).rejects.toMatchObject(error);
    await expect(readBounded(clientOf(body), 'accounts', {})).rejects.toMatchObject({ code: error.code });
  });

  test.each([{}, { record: null }, { record: 'VIP' }])('to a read of one record: %j', async (body) => {
    const reading = readOne(clientOf(body), 'tags', { id: 'x' });
    await expect(reading).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER' });
  });

  test('to a list of Studio', async () => {
    const pages = clientOf({ projects: [1], next: null })
      .studio.projects()
      .pages();
    const reading = requireShape('Studio projects', pages[Symbol.asyncIterator]().next());
    await expect(reading).rejects.toMatchObject({
      message: 'The API returned an unexpected response shape for Studio projects.',
    });
  });
});

test('an answer is returned as it was sent, with what the server says of the list', async () => {
  const page = { records: [{ id: 'a' }], total: '1', limited: null };
  expect(await readPage(clientOf(page), 'tags', {})).toEqual(page);
});

test('any other failure stays what it is', async () => {
  const failing = clientOf({ error: 'UNEXPECTED_SHAPE', message: '?' }, 500);
  await expect(readPage(failing, 'tags', {})).rejects.toMatchObject({
    code: 'UNEXPECTED_SHAPE',
    status: 500,
  });
});
