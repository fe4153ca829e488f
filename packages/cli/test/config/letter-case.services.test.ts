import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createOrganization, idOf } from '../../../../test/models/server-family/create-organization.ts';
import { assumed } from '../../../../test/models/server-family/members/axes.ts';
import { createPresentation } from '../../../../test/models/server-family/members/create-presentation.ts';
import { keys, Service } from '../../../../test/models/server-family/server/service.ts';
import { type FamilyServer, startServer } from '../../../../test/models/server-family/server/start-server.ts';
import { Harness } from '../../test-support/harness.ts';

/* A server may write the letters of ids in upper case. Neither a configuration nor a seed depends on it. */

const cli = new Harness();
let family: FamilyServer;
let folder: string;

/** The same organization, behind a server that writes ids in upper or lower case. */
const become = (
  ids: 'upper case' | 'lower case',
  { organization }: Pick<Service, 'organization'> = family.service,
): void => {
  family.service = new Service(organization, createPresentation({ ...assumed, ids }));
};

const run = (...args: string[]) =>
  cli.run([...args, '--json', '--pacing', 'off'], {
    cwd: folder,
    env: {
      ORGCHAT_BASE_URL: family.baseUrl,
      ORGCHAT_API_KEY: keys.write,
      ORGCHAT_STATE_DIR: join(folder, 'state'),
    },
  });

/** Runs a command that has to end with 0. What it printed is in the failure. */
const succeed = async (...args: string[]): Promise<void> => {
  const { code, stdout, stderr } = await run(...args);
  expect(code, stdout + stderr).toBe(0);
};

const read = (): string => readFileSync(join(folder, 'orgchat.yaml'), 'utf8');
const edit = (from: string, to: string): void => {
  expect(read()).toContain(from);
  writeFileSync(join(folder, 'orgchat.yaml'), read().replace(from, to));
};

let tests = 0;
beforeAll(async () => {
  family = await startServer(new Service(createOrganization(assumed), createPresentation(assumed)));
});
beforeEach(() => {
  folder = join(cli.folder, `folder-${++tests}`);
  mkdirSync(folder);
  become('lower case', { organization: createOrganization(assumed) });
});
afterAll(async () => {
  family.close();
  await cli.end();
});

test('an export is the same file in both', async () => {
  await succeed('config', 'export', '-o', 'orgchat.yaml');
  const lower = read();
  become('upper case');
  for (const name of ['orgchat.yaml', 'other.yaml']) {
    await succeed('config', 'export', '-o', name);
    expect(readFileSync(join(folder, name), 'utf8')).toBe(lower);
  }
});

test('a file of one differs in nothing from the other', async () => {
  for (const [exported, compared] of [
    ['lower case', 'upper case'],
    ['upper case', 'lower case'],
  ] as const) {
    become(exported);
    await succeed('config', 'export', '-o', 'orgchat.yaml', '--force');
    become(compared);
    await succeed('config', 'diff', 'orgchat.yaml', '--exit-code');
    await succeed('config', 'plan', 'orgchat.yaml', '--prune', '--exit-code');
  }
});

test('a file with ids in upper case is a file with the same ids', async () => {
  await succeed('config', 'export', '-o', 'orgchat.yaml');
  const uuid = /(?<!\{link:)\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/g;
  writeFileSync(
    join(folder, 'orgchat.yaml'),
    read().replace(uuid, (id) => id.toUpperCase()),
  );
  await succeed('config', 'diff', 'orgchat.yaml', '--exit-code');
});

test('a change and new records that refer to each other are applied once', async () => {
  become('upper case');
  await succeed('config', 'export', '-o', 'orgchat.yaml');
  edit('name: Tag 2\n', 'name: Tag Two\n');
  edit(
    'links:\n',
    'links:\n  - name: Fresh\n    url: https://example.com/fresh\n    tagId: New\n    scenarioId: null\n',
  );
  edit('tags:\n', 'tags:\n  - name: New\n    color: pink\n');
  const { code, stdout } = await run('config', 'apply', 'orgchat.yaml', '--yes');
  expect([code, code === 0 ? '' : stdout]).toEqual([0, '']);
  const { organization, changes } = family.service;
  const { tags, links } = organization.records;
  expect(changes.map(({ action }) => action).toSorted()).toEqual([
    'create-links',
    'create-tags',
    'update-tags',
  ]);
  const made = tags.find(({ data }) => data.name === 'New');
  expect(links.find(({ data }) => data.name === 'Fresh')?.data.tagId).toBe(made?.identity.id);
  expect(tags.find(({ identity }) => identity.id === idOf('tags', 2))?.data.name).toBe('Tag Two');
  const again = await run('config', 'apply', 'orgchat.yaml', '--yes');
  expect([again.code, family.service.changes.length]).toEqual([0, 3]);
});

test('a saved plan of one is applied to the other', async () => {
  await succeed('config', 'export', '-o', 'orgchat.yaml');
  edit('name: Tag 2\n', 'name: Tag Two\n');
  await succeed('config', 'plan', 'orgchat.yaml', '-o', 'plan.json');
  become('upper case');
  const { code, stdout } = await run('config', 'apply', 'plan.json');
  expect([code, code === 0 ? '' : stdout]).toEqual([0, '']);
});

test('a seed is the same in both, with accounts and friends', async () => {
  const seeds: string[] = [];
  for (const ids of ['lower case', 'upper case'] as const) {
    become(ids);
    const { code } = await run(
      'mock',
      'seed',
      '--from-organization',
      '--with-friends',
      'all',
      '-o',
      `${ids}.json`,
    );
    expect(code).toBe(0);
    seeds.push(readFileSync(join(folder, `${ids}.json`), 'utf8'));
  }
  expect(seeds[0]).toContain('"tagIds"');
  expect(seeds[1]).toBe(seeds[0]);
});
