import { describe, expect, test } from 'vitest';
import { readPages } from '../../../../test/test-support/read-pages.ts';
import { type CodeMeaning, codeMeanings } from '../../src/generated/code-meanings.ts';
import * as sdk from '../../src/index.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { failure, record, scripted } from '../../test-support/servers/scripted.ts';

/* The tables of codes in the pages say what the specification and the classes of errors say. */

const text = [...readPages('sdk').values()].join('\n');

/** The cells of a table, row by row, without the marks for code. */
function readTable(header: string): string[][] {
  const [, after = ''] = text.split(header);
  const [table = ''] = after.split('\n\n');
  return table
    .split('\n')
    .filter((line) => /^\| `/.test(line))
    .map((line) => line.slice(2, -2).replaceAll('`', '').split(' | '));
}

describe('the table of meanings', () => {
  const rows = readTable('| meaning | status | default code | error class | what to do |');
  const meanings = Object.keys(codeMeanings) as CodeMeaning[];

  test('has each meaning, in the order of the specification', () => {
    expect(rows.map(([meaning]) => meaning)).toEqual(meanings);
  });

  test.each(meanings)('%s', async (meaning) => {
    const { code, statuses } = codeMeanings[meaning];
    const status = statuses[0];
    const script = [failure(status, code), failure(status, code)];
    const { client } = scripted(script, { retry: false });
    const ofChange = (await getRejection(client.tags.delete(record))).name;
    const ofRead = (await getRejection(client.account())).name;
    const name = status < 500 ? ofChange : `${ofRead}, of a write ${ofChange}`;
    const row = rows.find(([its]) => its === meaning);
    expect(row?.slice(1, 4)).toEqual([statuses.join(', '), code, name]);
    expect(row?.[4]?.length).toBeGreaterThan(10);
  });
});

test('the table of this package’s own codes names a class for each', () => {
  const rows = readTable('| code | class | meaning and what to do |');
  expect(rows.length).toBeGreaterThan(15);
  for (const [codes, name = '', text = ''] of rows) {
    const type = (sdk as Readonly<Record<string, unknown>>)[name.replace(' †', '')];
    const isError =
      typeof type === 'function' && (type === sdk.OrgChatError || type.prototype instanceof sdk.OrgChatError);
    expect({ codes, isError }).toEqual({ codes, isError: true });
    expect(text.length).toBeGreaterThan(10);
  }
});
