import { describe, expect, test } from 'vitest';
import { mocked } from '../../test-support/mocked.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { InvalidInputError, OrgChatError, type TemplateInput } from '../index.ts';

const by = { by: 'name' } as const;
const row: TemplateInput = { name: 'Row 0', text: '0' };

describe('sync refuses before anything is sent', () => {
  const { client, mock } = mocked();
  const requests = () => mock.requests.list();

  test.each<[string, unknown, unknown, string]>([
    ['no options', [row], undefined, 'by must be "name" for templates; got undefined.'],
    ['by', [row], { by: 'text' }, 'by must be "name" for templates; got "text".'],
    [
      'an option that does not exist',
      [row],
      { ...by, deletOthers: true },
      '"deletOthers" is not an option of sync(). Options: by, where, deleteOthers, dryRun, concurrency, signal, onProgress.',
    ],
    [
      'no rows at all',
      undefined,
      by,
      'sync() requires an iterable of rows, such as an array; got undefined.',
    ],
    ['a text', 'rows', by, 'sync() requires an iterable of rows, such as an array; got string.'],
    ['an object', { row }, by, 'sync() requires an iterable of rows, such as an array; got object.'],
    [
      'rows that come one by one',
      (async function* () {
        yield row;
      })(),
      by,
      'sync() requires an iterable of rows, such as an array; got async iterable. Read it into an array first: for await (const row of source) rows.push(row).',
    ],
    [
      'rows that are not there yet',
      Promise.resolve([row]),
      by,
      'sync() requires an iterable of rows, such as an array; got promise. Await it first.',
    ],
    ['a row that is null', [row, null], by, 'rows[1] must be an object with the data of a record; got null.'],
    ['a row that is a list', [[row]], by, 'rows[0] must be an object with the data of a record; got array.'],
    [
      'a row without a name',
      [row, { text: 'x' }],
      by,
      'rows[1] must have a name that is a text and not empty.',
    ],
    [
      'a row with an empty name',
      [{ ...row, name: ' ' }],
      by,
      'rows[0] must have a name that is a text and not empty.',
    ],
    [
      'a field that does not exist',
      [{ ...row, id: 'a' }],
      by,
      'rows[0] has the field "id", which templates do not have. Fields: name, text.',
    ],
    [
      'two rows of one name',
      [row, { name: 'x', text: 'x' }, { ...row, name: ` ${row.name} ` }],
      by,
      'rows[0] and rows[2] have the same name, so they would be one record. Remove all but one.',
    ],
    ['an empty where', [row], { ...by, where: {} }, 'where requires at least one field. Fields: name, text.'],
    [
      'where that is null',
      [row],
      { ...by, where: null },
      'where requires at least one field. Fields: name, text.',
    ],
    [
      'where with an unknown field',
      [row],
      { ...by, where: { accountId: 'a' } },
      'templates have no field "accountId". Fields: name, text.',
    ],
    [
      'where of another type',
      [row],
      { ...by, where: { text: 7 } },
      'where: text must be a string; got a number. Fields: name, text.',
    ],
    [
      'a row outside of where',
      [row],
      { ...by, where: { text: 'other' } },
      'rows[0] must have the text of where. A record outside of it would not be found again.',
    ],
    [
      'deletions without rows',
      [],
      { ...by, deleteOthers: true },
      'deleteOthers requires at least one row: without rows, every record would be deleted.',
    ],
    [
      'deleteOthers: "yes"',
      [row],
      { ...by, deleteOthers: 'yes' },
      'deleteOthers must be true, false, or { max } with an integer, 1 or greater; got string.',
    ],
    [
      'deleteOthers: null',
      [row],
      { ...by, deleteOthers: null },
      'deleteOthers must be true, false, or { max } with an integer, 1 or greater; got null.',
    ],
    [
      'deleteOthers: { max: 0 }',
      [row],
      { ...by, deleteOthers: { max: 0 } },
      'deleteOthers must be true, false, or { max } with an integer, 1 or greater; got { max: 0 }.',
    ],
    [
      'deleteOthers: { max: Infinity }',
      [row],
      { ...by, deleteOthers: { max: Infinity } },
      'deleteOthers must be true, false, or { max } with an integer, 1 or greater; got { max: Infinity }.',
    ],
    [
      'deleteOthers: {}',
      [row],
      { ...by, deleteOthers: {} },
      'deleteOthers must be true, false, or { max } with an integer, 1 or greater; got { max: undefined }.',
    ],
    [
      'deleteOthers with a misspelled option',
      [row],
      { ...by, deleteOthers: { max: 5, mix: 1 } },
      '"mix" is not an option of deleteOthers. Options: max.',
    ],
    ['dryRun: 1', [row], { ...by, dryRun: 1 }, 'dryRun must be true or false; got number.'],
    [
      'concurrency: 0',
      [row],
      { ...by, concurrency: 0 },
      'concurrency must be an integer from 1 to 1000; got 0.',
    ],
    ['a signal that is none', [row], { ...by, signal: {} }, 'signal must be an AbortSignal; got object.'],
    [
      'onProgress that is not a function',
      [row],
      { ...by, onProgress: 'log' },
      'onProgress must be a function; got string.',
    ],
  ])('%s', async (_name, rows, options, message) => {
    const error = await getRejection(client.templates.sync(rows as TemplateInput[], options as typeof by));
    expect(error).toBeInstanceOf(OrgChatError);
    expect(error.message).toBe(message);
    expect(requests()).toHaveLength(0);
  });

  test('deletions of rich menus, and of records of accounts without an account', async () => {
    const menus = client.richMenus.sync([{ name: 'A' } as never], {
      ...by,
      deleteOthers: true as never,
    });
    expect(await getRejection(menus)).toBeInstanceOf(InvalidInputError);
    const form = { name: 'A', accountId: crypto.randomUUID() } as never;
    const error = await getRejection(
      client.forms.sync([form], {
        ...by,
        deleteOthers: true,
        where: { active: undefined as never, name: 'A' },
      }),
    );
    expect(error.message).toBe(
      'deleteOthers requires where: { accountId } for forms: otherwise, the records of all accounts would be deleted.',
    );
    const twice = client.forms.sync([form, form], by);
    expect((await getRejection(twice)).message).toMatch(
      /Remove all but one, or sync each account on its own/,
    );
    expect(requests()).toHaveLength(0);
  });

  test('and without rows and deletions, nothing is sent', async () => {
    expect(await client.templates.sync([], by)).toMatchObject({
      created: 0,
      isComplete: true,
      results: [],
    });
    expect(requests()).toHaveLength(0);
  });
});
