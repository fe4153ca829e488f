import { describe, expect, test } from 'vitest';
import { columns as columnsOfResources } from '../resources/table-columns.ts';
import { displayWidth } from './display-width.ts';
import { rowTable } from './table.ts';

const uuid = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
const user = `U${'0123456789abcdef'.repeat(2)}`;
const long =
  'A text that goes on and on, longer than any column of any terminal that is used for work. '.repeat(2);

/** What the fields of records are like. */
const samples: Readonly<Record<string, unknown>> = {
  id: uuid,
  accountId: uuid,
  userId: user,
  name: 'Customers who came back after a year',
  displayName: '田中 愛子',
  text: long,
  responseText: long,
  lastMessageText: long,
  values: { mail: 'aiko@example.com', topics: ['Offers', 'Events'] },
  url: 'https://example.com/a/rather/long/path/to/a/page/of/the/spring/campaign?with=parameters',
  color: 'orange',
  status: 'in_progress',
  active: true,
};
const sampleOf = (name: string): unknown =>
  name in samples ? samples[name] : name.endsWith('At') ? '2025-03-10T10:30:00.000Z' : 'Some words here';

const rowOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, sampleOf(name)]));
const show = (names: readonly string[], room: number | undefined, keepAll = false) =>
  rowTable([rowOf(names)], names, { room, keepAll });
const widthOf = (text: string): number => Math.max(...text.trimEnd().split('\n').map(displayWidth));

describe('a table', () => {
  const tables = Object.entries(columnsOfResources);
  test.each(tables)('of %s fits 80 columns, with whole ids', (_, names) => {
    const { text } = show(names, 80);
    expect(widthOf(text)).toBeLessThanOrEqual(80);
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f-]*…|U[0-9a-f]+…/);
    // The first column and another one are always there.
    expect(text.split('\n')[0]?.trim().split(/ {2,}/).length).toBeGreaterThan(1);
  });

  test.each([20, 40, 60, 100, 200])('of any resource fits %i columns', (room) => {
    for (const [, names] of tables) expect(widthOf(show(names, room).text)).toBeLessThanOrEqual(room);
  });

  test.each(tables)('of %s is whole without a limit', (_, names) => {
    const { text, hidden } = show(names, undefined);
    expect(hidden).toEqual([]);
    expect(text).not.toContain('…');
    expect(text).not.toContain('10:30Z');
  });

  test('shortens times, then texts, and hides columns only then', () => {
    const tags = ['id', 'name', 'color', 'updatedAt'];
    expect(show(tags, 80)).toMatchObject({ hidden: [] });
    expect(show(tags, 80).text).toMatch(/ {2}Custom.*… {2}orange {2}2025-03-10 10:30Z$/m);
    expect(show(tags, 60)).toMatchObject({ hidden: ['updatedAt'] });
    expect(show(['accountId', 'userId', 'displayName'], 80).hidden).toEqual(['displayName']);
    expect(show(['userId', 'accountId', 'displayName'], 80).hidden).toEqual(['accountId']);
  });

  test('hides no column that was asked for, and cuts no id', () => {
    const { text, hidden } = show(['id', 'accountId', 'userId'], 80, true);
    expect(hidden).toEqual([]);
    expect(text).toContain(`${uuid}  ${uuid}  ${user}\n`);
  });

  test('cuts an id only with a mark, if it is wider than the terminal', () => {
    expect(show(['id', 'name'], 20).text).toBe(`ID\n${uuid.slice(0, 19)}…\n`);
  });
});
