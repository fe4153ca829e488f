import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshTag, greenVip, useConfigFile } from '../../test-support/config-harness.ts';

/* An export onto a file that was edited: who changed what, with and without a common state. */

const file = useConfigFile({ inProcess: true });
const { cli } = file;

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
const isDone = { code: 0 } as const;

/** A tag that nothing refers to. Its comment shows that its lines are kept. */
const oldTag = new RegExp(` {2}- id: ${uuid.source}\\n {4}name: Old # ours\\n {4}color: \\w+\\n`);
const removeOld = (text: string): string => text.replace(oldTag, '');

type Edit = (text: string) => string;
type Rival = readonly string[];

const edit: Record<string, Edit> = {
  add: (text) => text.replace(...freshTag),
  change: (text) => text.replace(...greenVip),
  remove: removeOld,
  changeRemoved: (text) => text.replace('Old # ours\n    color: blue', 'Old # ours\n    color: orange'),
};

const rival: Record<string, Rival> = {
  add: ['tags', 'create', '--name', 'Fresh', '--color', 'blue'],
  addOther: ['tags', 'create', '--name', 'Fresh', '--color', 'purple'],
  change: ['tags', 'update', 'VIP', '--color', 'green'],
  changeOther: ['tags', 'update', 'VIP', '--color', 'brown'],
  remove: ['tags', 'delete', 'Old'],
  changeRemoved: ['tags', 'update', 'Old', '--color', 'brown'],
};

/** What an export does: exit code, the file as it is then, and what is said. */
interface Outcome {
  readonly code: 0 | 5;
  /** Default: the edited file. */
  readonly file?: Edit;
  /** Of the output; default: nothing. */
  readonly said?: string;
  /** The file after --force, if it differs from the edited file. */
  readonly forced?: Edit;
}

interface Case {
  readonly what: string;
  readonly edits?: keyof typeof edit;
  readonly rivals?: keyof typeof rival;
  readonly withBase: Outcome;
  readonly withoutBase: Outcome;
}

/** A tag at the end of the list. */
const atEnd =
  (name: string, color: string): Edit =>
  (text) =>
    text.replace('\n\ntemplates:', `\n  - id: ID\n    name: ${name}\n    color: ${color}\n\ntemplates:`);
const withId: Edit = (text) => text.replace('- name: Fresh\n', '- id: ID\n    name: Fresh\n');
const withPurple: Edit = (text) => withId(text).replace('Fresh\n    color: blue', 'Fresh\n    color: purple');
const withoutFresh: Edit = (text) => text.replace(freshTag[1], freshTag[0]);
const withVip =
  (color: string): Edit =>
  (text) =>
    text.replace(/(name: VIP\n {4}color: )\w+/, (_, before: string) => `${before}${color}`);
const oldAtEnd =
  (color: string): Edit =>
  (text) =>
    atEnd('Old', color)(text);
const withOld =
  (color: string): Edit =>
  (text) =>
    text.replace(/(name: Old # ours\n {4}color: )\w+/, (_, before: string) => `${before}${color}`);

const cases: readonly Case[] = [
  { what: 'nobody changes anything', withBase: isDone, withoutBase: isDone },
  {
    what: 'the file adds a record',
    edits: 'add',
    withBase: { code: 0, said: 'tag "Fresh": only in the file' },
    withoutBase: { code: 5, said: 'tag "Fresh": only in the file', forced: withoutFresh },
  },
  {
    what: 'the organization adds a record',
    rivals: 'add',
    withBase: { code: 0, file: atEnd('Fresh', 'blue') },
    withoutBase: { code: 5, said: 'tag "Fresh": not in the file', forced: atEnd('Fresh', 'blue') },
  },
  {
    what: 'both add the same record',
    edits: 'add',
    rivals: 'add',
    withBase: { code: 0, file: withId },
    withoutBase: { code: 0, file: withId },
  },
  {
    what: 'both add a record, with other data',
    edits: 'add',
    rivals: 'addOther',
    withBase: {
      code: 5,
      said: 'tag "Fresh": color: "purple" → "blue"   (changed on both sides',
      forced: withPurple,
    },
    withoutBase: { code: 5, said: 'tag "Fresh": color: "purple" → "blue"', forced: withPurple },
  },
  {
    what: 'the file changes a record',
    edits: 'change',
    withBase: { code: 0, said: 'tag "VIP": color: "pink" → "green"   (changed in the file)' },
    withoutBase: { code: 5, said: 'tag "VIP": color: "pink" → "green"', forced: withVip('pink') },
  },
  {
    what: 'the organization changes a record',
    rivals: 'changeOther',
    withBase: { code: 0, file: withVip('brown') },
    withoutBase: { code: 5, said: 'tag "VIP": color: "brown" → "pink"', forced: withVip('brown') },
  },
  {
    what: 'both change a record alike',
    edits: 'change',
    rivals: 'change',
    withBase: isDone,
    withoutBase: isDone,
  },
  {
    what: 'both change a record differently',
    edits: 'change',
    rivals: 'changeOther',
    withBase: {
      code: 5,
      said: 'tag "VIP": color: "brown" → "green"   (changed on both sides, was "pink")',
      forced: withVip('brown'),
    },
    withoutBase: { code: 5, said: 'tag "VIP": color: "brown" → "green"', forced: withVip('brown') },
  },
  {
    what: 'the file removes a record',
    edits: 'remove',
    withBase: { code: 0, said: 'tag "Old": removed from the file' },
    withoutBase: { code: 5, said: 'tag "Old": not in the file', forced: oldAtEnd('blue') },
  },
  {
    what: 'the organization deletes a record',
    rivals: 'remove',
    withBase: { code: 0, file: removeOld },
    withoutBase: { code: 5, said: 'tag "Old": only in the file', forced: removeOld },
  },
  {
    what: 'both remove a record',
    edits: 'remove',
    rivals: 'remove',
    withBase: isDone,
    withoutBase: isDone,
  },
  {
    what: 'the file removes a record that the organization changes',
    edits: 'remove',
    rivals: 'changeRemoved',
    withBase: {
      code: 5,
      said: 'tag "Old": removed from the file and changed in the organization',
      forced: oldAtEnd('brown'),
    },
    withoutBase: { code: 5, said: 'tag "Old": not in the file', forced: oldAtEnd('brown') },
  },
  {
    what: 'the organization deletes a record that the file changes',
    edits: 'changeRemoved',
    rivals: 'remove',
    withBase: {
      code: 5,
      said: 'tag "Old": deleted in the organization and changed in the file',
      forced: removeOld,
    },
    withoutBase: { code: 5, said: 'tag "Old": only in the file', forced: removeOld },
  },
  {
    what: 'the organization changes what the file does not, in one record',
    edits: 'changeRemoved',
    rivals: 'changeOther',
    withBase: {
      code: 0,
      file: withVip('brown'),
      said: 'tag "Old": color: "blue" → "orange"   (changed in the file)',
    },
    withoutBase: {
      code: 5,
      said: 'tag "Old": color: "blue" → "orange"',
      forced: (text) => withVip('brown')(withOld('blue')(text)),
    },
  },
];

describe.each(cases)('if $what', ({ edits, rivals, withBase, withoutBase }) => {
  /** The file with Old, exported and then edited by both sides; returns the edited text. */
  async function prepare(): Promise<string> {
    await file.rival('tags', 'create', '--name', 'Old', '--color', 'blue');
    expect((await file.run(['export', '-o', 'orgchat.yaml'])).code).toBe(0);
    file.write(file.read().replace('name: Old\n', 'name: Old # ours\n'));
    if (rivals !== undefined) await file.rival(...(rival[rivals] ?? []));
    if (edits !== undefined) file.write((edit[edits] ?? String)(file.read()));
    return file.read();
  }

  /** The file, with the ids that only the organization knew as `ID`. */
  const readFor = (edited: string): string =>
    file.read().replace(new RegExp(uuid, 'g'), (id) => (edited.includes(id) ? id : 'ID'));

  test.each([
    ['with', withBase, {}],
    ['without', withoutBase, { ORGCHAT_STATE_DIR: 'elsewhere' }],
  ])('%s a common state', async (_what, outcome, changed) => {
    const edited = await prepare();
    const env = Object.fromEntries(Object.entries(changed).map(([name, at]) => [name, join(cli.folder, at)]));
    const args = ['export', '-o', 'orgchat.yaml'];
    const { code, json, stderr } = await file.run(args, { env });
    const said = code === 0 ? stderr : `${json.error?.message}`;
    expect([code, said]).toEqual([outcome.code, expect.stringContaining(outcome.said ?? '')]);
    if (outcome.said === undefined) expect(said).toBe('');
    if (code === 5) expect(json.error?.code).toBe('CONFLICT' as never);
    expect(readFor(edited)).toBe((outcome.file ?? String)(edited));
    // Again, it says the same.
    const again = await file.run(args, { env });
    expect([again.code, again.json.result ?? 'refused']).toEqual([
      code,
      code === 0 ? 'unchanged' : 'refused',
    ]);
    const forced = await file.run([...args, '--force'], { env });
    expect(forced.code).toBe(0);
    expect(readFor(edited)).toBe((outcome.forced ?? outcome.file ?? String)(edited));
  });
});
