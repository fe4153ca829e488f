import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClientOptions, createClient, type OrgChatClient, ServerError } from '@orgchat/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Result } from '../../../../packages/cli/test-support/harness.ts';
import { assumed } from '../members/axes.ts';
import { startFamily } from '../run-all.ts';
import type { FamilyServer } from '../server/start-server.ts';
import { sdkUses } from './all-uses.ts';
import { type CommandRunner, createCliUses } from './cli-uses.ts';
import { type Judgment, judge } from './judge.ts';
import { type Methods, Stage } from './stage.ts';

/* Programs with a known flaw, so that a verdict means something. */

const member = { name: 'as assumed', choices: assumed };
const unexpected = (): ServerError =>
  new ServerError('The shape is unknown.', { code: 'UNEXPECTED_SHAPE', operation: 'readChat' });

/** The verdict on a use of tags by a client whose methods a flaw replaces. */
async function judgeFlawed(name: string, flaw: (tags: Methods) => Partial<Methods>): Promise<Judgment> {
  const create = (options: ClientOptions): OrgChatClient => {
    const client = createClient(options);
    const tags = client.tags as unknown as Methods;
    return { ...client, tags: { ...tags, ...flaw(tags) } as unknown as OrgChatClient['tags'] };
  };
  const use = sdkUses.find((one) => one.name === name);
  if (use === undefined) throw new Error(`No use is called ${name}.`);
  return judge(use, new Stage(member, { isDescribed: false, create }), 'tags');
}

describe('a use of the SDK', () => {
  test.each(sdkUses)('$name works on a server as it is assumed', async (use) => {
    for (const resource of use.resources)
      expect(await judge(use, new Stage(member, { isDescribed: false }), resource)).toEqual({
        verdict: 'works',
      });
  });

  test('that doubles a record is wrong', async () => {
    const verdict = await judgeFlawed('upsert twice', (tags) => ({
      upsert: async (data) => {
        const { result } = await tags.create(data);
        return { outcome: 'created', record: result ?? {} };
      },
    }));
    expect(verdict).toEqual({ verdict: 'wrong', why: 'upsert() made 2 records instead of 1' });
  });

  test('that returns a record without a field, or with one of another type, is wrong', async () => {
    for (const flaw of [{ color: undefined }, { color: null }, { name: 'Other' }, { revision: 1 }])
      expect(
        await judgeFlawed('get', (tags) => ({ get: async (id) => ({ ...(await tags.get(id)), ...flaw }) })),
      ).toMatchObject({ verdict: 'wrong' });
  });

  test('that denies a record, or lists too few or one twice, is wrong', async () => {
    const none = await judgeFlawed('find', () => ({ find: async () => undefined }));
    expect(none).toEqual({ verdict: 'wrong', why: 'find() denies tags "Tag 1"' });
    for (const cut of [(rows: object[]) => rows.slice(1), (rows: object[]) => [...rows.slice(1), rows[1]]])
      expect(
        await judgeFlawed('list', (tags) => ({
          list: () => ({ toArray: async () => cut(await tags.list().toArray()) as never }),
        })),
      ).toMatchObject({ verdict: 'wrong' });
  });

  test('that changes another field or record is wrong', async () => {
    const field = await judgeFlawed('edit', (tags) => ({
      edit: (id, change) => tags.edit(id, (data) => ({ ...change(data), name: 'Other' })),
    }));
    expect(field).toMatchObject({ verdict: 'wrong' });
    const record = await judgeFlawed('edit', (tags) => ({
      edit: async (_, change) => tags.edit(String((await tags.find({ name: 'Tag 2' }))?.id), change),
    }));
    expect(record).toMatchObject({ verdict: 'wrong' });
  });

  test('that is refused before a change was sent refuses, and after one is wrong', async () => {
    const before = await judgeFlawed('edit', () => ({ edit: () => Promise.reject(unexpected()) }));
    expect(before).toMatchObject({ verdict: 'refuses' });
    const after = await judgeFlawed('edit', (tags) => ({
      edit: async (id, change) => {
        await tags.edit(id, change);
        throw unexpected();
      },
    }));
    expect(after).toMatchObject({ verdict: 'wrong', why: expect.stringContaining('A change was sent') });
  });

  test('that fails with any other error is wrong', async () => {
    const failing = await judgeFlawed('get', () => ({ get: () => Promise.reject(new TypeError('no')) }));
    expect(failing).toEqual({ verdict: 'wrong', why: 'TypeError: no' });
  });
});

describe('a use of the command', () => {
  let family: FamilyServer;
  let folder: string;
  beforeAll(async () => {
    family = await startFamily();
    folder = mkdtempSync(join(tmpdir(), 'orgchat-family-'));
  });
  afterAll(() => {
    family.close();
    rmSync(folder, { recursive: true });
  });

  const exported = 'version: 1\ntags:\n  - id: a\n    name: A\n    color: pink\n';
  const error = '{ "error": { "code": "UNEXPECTED_SHAPE" } }';

  /** The verdict on an export by a command that writes a text and ends with a code. */
  async function judgeExport(code: number, text: string | undefined): Promise<Judgment> {
    let runs = 0;
    const run: CommandRunner['run'] = async (_, { cwd = '' }) => {
      // The first run writes the good file.
      const [ends, writes] = runs++ === 0 ? [0, exported] : [code, text];
      if (writes !== undefined) writeFileSync(join(cwd, 'orgchat.yaml'), writes);
      return { code: ends, stdout: ends === 0 ? '{}' : error, stderr: '' } as Result;
    };
    const home = mkdtempSync(join(folder, 'home-'));
    const use = createCliUses({ folder: home, run }).find(({ name }) => name.startsWith('config export'));
    if (use === undefined) throw new Error('No use exports.');
    return judge(use, new Stage(member, { isDescribed: false, family }), 'tags');
  }

  test('that writes the same file works', async () => {
    expect(await judgeExport(0, undefined)).toEqual({ verdict: 'works' });
  });

  test('that empties a file is wrong', async () => {
    for (const text of ['version: 1\ntags:\n  - id: a\n', 'version: 1\n', exported.replace('pink', 'blue')])
      expect(await judgeExport(0, text)).toMatchObject({ verdict: 'wrong' });
  });

  test('that is refused refuses if the file is as it was', async () => {
    expect(await judgeExport(1, undefined)).toMatchObject({ verdict: 'refuses' });
    expect(await judgeExport(1, 'version: 1\n')).toMatchObject({ verdict: 'wrong' });
    expect(await judgeExport(3, undefined)).toMatchObject({ verdict: 'wrong' });
  });
});
