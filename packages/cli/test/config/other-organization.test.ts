import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useConfigFile } from '../../test-support/config-harness.ts';
import { Harness } from '../../test-support/harness.ts';

const file = useConfigFile({ inProcess: true });
const { cli } = file;
const other = new Harness({ inProcess: true });

beforeAll(async () => {
  const lists = ['tags', 'templates', 'auto-replies', 'scenarios', 'forms', 'rich-menus', 'links', 'routes'];
  const nothing = Object.fromEntries([...lists, 'broadcasts', 'friends', 'sites'].map((name) => [name, []]));
  const seed = JSON.parse((await cli.run(['mock', 'seed'])).stdout) as { organizations: object[] };
  const empty = { ...seed.organizations[0], ...nothing };
  const keys = [{ name: 'Twin', key: 'twin-write-key', scope: 'write' }];
  const organizations = [empty, { ...empty, id: 'org_twin', keys }];
  writeFileSync(join(other.folder, 'empty.json'), JSON.stringify({ ...seed, organizations }));
  await other.start('--seed', join(other.folder, 'empty.json'));
}, 60_000);
afterAll(() => other.end());

const there = (...args: string[]) => other.run(['config', ...args, '--pacing', 'off', '--json']);
const cardOf = (uri: string): string => `
broadcasts:
  - accountId: Demo shop
    title: Card
    messages:
      - type: card
        altText: Look
        color: null
        cards:
          - imageId: null
            title: Spring
            text: ''
            buttons:
              - label: Open
                action:
                  type: uri
                  uri: '${uri}'
    target: all
    tagIds: []
    scheduledAt: null
    accountIds: null
`;

test('records are matched by label if their ids are unknown', async () => {
  await other.control('POST', '/reset');
  const applied = await there('apply', file.path, '--yes');
  // The demo's menu switches to itself, so it takes a second step.
  expect(applied.json).toMatchObject({ applied: 17, failed: [] });
  const after = await there('diff', file.path, '--exit-code');
  expect([after.code, after.json.unchanged]).toEqual([0, 16]);
});

test('a link placeholder contains the name, so that it works in another organization', async () => {
  await other.control('POST', '/reset');
  file.edit(['\nbroadcasts:\n', cardOf('{link:Spring page}')]);
  expect((await file.run(['apply', 'orgchat.yaml', '--yes'])).json.applied).toBe(1 as never);
  await cli.run(['config', 'export', '-o', 'fresh.yaml', '-q']);
  const path = join(cli.folder, 'fresh.yaml');
  const { json } = await there('apply', path, '--yes');
  expect(json).toMatchObject({ applied: 18, failed: [] });
  const uriIn = async (one: Harness) =>
    JSON.stringify((await one.run(['broadcasts', 'get', 'Card', '--json'])).json);
  const linkIn = async (one: Harness) => (await one.run(['links', 'get', 'Spring page', '--json'])).json.id;
  for (const one of [cli, other]) expect(await uriIn(one)).toContain(`"{link:${await linkIn(one)}}"`);
  expect(await linkIn(cli)).not.toBe(await linkIn(other));
});

test('an unfinished apply is not continued for another organization', async () => {
  await other.control('POST', '/reset');
  file.write('tags:\n  - name: Fresh\n    color: blue\n');
  await other.control('POST', '/faults', { effect: 'lose-response', action: 'create-tags' });
  expect((await there('apply', file.path, '--yes', '--retries', '0')).code).toBe(7);
  const twin = { env: { ORGCHAT_API_KEY: 'twin-write-key' } };
  const args = ['config', 'apply', file.path, '--yes', '--pacing', 'off', '--json'];
  expect((await other.run(args, twin)).json).toMatchObject({ applied: 1, replayed: 0 });
  expect((await there('apply', file.path, '--yes')).json).toMatchObject({ applied: 0, replayed: 1 });
});

test('a missing link is an error by its name, and a warning by its id', async () => {
  file.edit(['\nbroadcasts:\n', cardOf('{link:Nowhere}')]);
  expect((await file.run(['plan', 'orgchat.yaml'])).json.error?.message).toContain('no link named "Nowhere"');
  const id = '11111111-2222-4333-8444-555555555555';
  file.edit(
    ['{link:Nowhere}', `{link:${id}}`],
    ['text: Spring is here.', `text: Spring is here {link:${id}}`],
  );
  const { code, json, stderr } = await file.run(['plan', 'orgchat.yaml']);
  expect([code, json.warnings]).toMatchObject([0, [{}, {}]]);
  expect(stderr).toContain(
    `broadcast "Card" refers to {link:${id}}, but the organization has no link with this id`,
  );
});

test('a link and a scenario that refer to each other can be created together', async () => {
  await other.control('POST', '/reset');
  file.write(`
scenarios:
  - name: Round
    accountId: null
    trigger: manual
    triggerTagId: null
    active: true
    steps:
      - delayValue: 0
        delayUnit: minutes
        sendTime: null
        text: Look
        content:
          - type: card
            altText: Look
            color: null
            cards:
              - imageId: null
                title: Round
                text: ''
                buttons:
                  - label: Open
                    action: { type: uri, uri: '{link:Round link}' }
links:
  - name: Round link
    url: https://example.com/round
    tagId: null
    scenarioId: Round
`);
  expect((await there('apply', file.path, '--yes')).json).toMatchObject({ applied: 3, failed: [] });
  expect((await there('diff', file.path)).json).toMatchObject({ differences: false, unchanged: 2 });
});
