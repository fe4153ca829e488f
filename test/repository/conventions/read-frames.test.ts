import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readFrames } from './read-frames.ts';

/* Where records are in an answer is decided in one file, by the decisions and the description of the server. */

const packages = fileURLToPath(new URL('../../../packages', import.meta.url));
const onlyPlace = 'sdk/src/shapes/response-shapes.ts';

const sources = ['sdk', 'cli'].flatMap((name) =>
  readdirSync(join(packages, name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ts$/.test(file) && !/\.test(?:-d)?\.ts$/.test(file))
    .map((file) => `${name}/src/${file}`),
);

test('no other file takes the frame of an answer for known', () => {
  expect(sources).toContain(onlyPlace);
  const places = sources
    .filter((name) => name !== onlyPlace)
    .flatMap((name) =>
      readFrames(readFileSync(join(packages, name), 'utf8')).map(
        ({ line, text }) => `${name}:${line}: ${text}`,
      ),
    );
  expect(places).toEqual([]);
});

test('the check sees the calls that read: without one, it would say nothing', () => {
  const readers = sources.filter((name) =>
    /\breadChat\(|\bapi\.read\(|getChatApi\(/.test(readFileSync(join(packages, name), 'utf8')),
  );
  expect(readers).toEqual(expect.arrayContaining(['sdk/src/pipeline/endpoints.ts']));
  expect(readers.some((name) => name.startsWith('cli/'))).toBe(true);
});

describe('finds', () => {
  test.each([
    ["const answer = await client.readChat({ resource, id }); if ('record' in answer) use(answer);"],
    ['const { record } = await client.readChat({ resource, id });'],
    ['return (await this.client.readChat({ resource, id })).record;'],
    ['const answer = await readChat(client, query); return answer.data.record;'],
    ['const { data } = await readChat(client, query, options); return data.records[0];'],
    ['const { data: { records } } = await api.read(query);'],
    ['const { data: page } = await this.api.read(query); return page.total > 1;'],
    ['const answer = await api.read<{ record: Tag }>(query);'],
    ['const { read } = getChatApi(client); const page = await read(query); use(page.data.limited);'],
    [
      'const { read: readRaw } = getChatApi(client); const { data } = await readRaw(query); use(data.records);',
    ],
    ['const answer = (await getChatApi(client).read(query)).data as { records: Row[] };'],
    ["const answer = await client.readChat(query); return Object(answer)['records'];"],
    ['const { label } = (await api.read(query)).data;'],
    ['client.readChat(query).then(({ records }) => use(records));'],
    ['api.read(query).then((answer) => use(answer.data.record));'],
    ['const { data } = await client.readChat(query).withResponse(); use(data.record);'],
    ['const copy = { ...(await client.readChat(query)) }; use(copy.record);'],
    ['const name = record.label ?? record.name;'],
    ['const shown = row.label || row.title;'],
  ])('%s', (source) => {
    expect(readFrames(source)).toHaveLength(1);
  });
});

describe('passes over', () => {
  test.each([
    ['await client.readChat({ resource, id }); return false;'],
    ['const page = shapes.toPage(resource, await readChat(client, query)); use(page.data.records);'],
    ['const { records } = await client.tags.list();'],
    ['const { data } = await api.readRecord(query); use(data.label);'],
    ['const text = await file.read(); use(text.total);'],
    ['const answer = await api.read(query); use(shapes.findRecord(resource, answer.data));'],
    ['function f() { const page = readChat(client); } function g(page: Page) { return page.records; }'],
    ['const name = getName(record) ?? record.id;'],
  ])('%s', (source) => {
    expect(readFrames(source)).toEqual([]);
  });
});
