import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isObject } from '@orgchat/spec/is-object';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freshTag, greenVip, useConfigFile } from '../../test-support/config-harness.ts';

/* What an export onto an edited file lists and refuses. */

const file = useConfigFile({ inProcess: true, holdsAnswers: true });
const { cli } = file;
const exportFile = (...args: string[]) => file.run(['export', '-o', 'orgchat.yaml', ...args]);
const differences = async () => (await file.run(['diff', 'orgchat.yaml'])).json;
const newRoute = (reference: string) =>
  [
    '\nroutes:\n',
    `\nroutes:\n  - { name: New, accountId: Demo shop, tagId: ${reference}, scenarioId: null }\n`,
  ] as const;

describe('what cannot be kept', () => {
  test.each([
    [
      'a new record that refers to one that the organization deleted',
      () => file.edit(newRoute('Old')),
      ['tags', 'delete', 'Old'],
      'route "New": refers to a tag that was deleted in the organization',
    ],
    [
      'a new record with a name that the organization gave to another one',
      () => file.edit(freshTag),
      ['tags', 'update', 'Old', '--name', 'Fresh'],
      'tag "Fresh": the organization has another one with this name now',
    ],
    [
      'a reference to a record that the organization deleted',
      () => file.edit(['submitTagId: Newsletter', 'submitTagId: Old']),
      ['tags', 'delete', 'Old'],
      'form "Survey": refers to a tag that was deleted in the organization',
    ],
  ])('is listed: %s', async (_what, change, rival, problem) => {
    await file.rival('tags', 'create', '--name', 'Old', '--color', 'blue');
    await exportFile();
    change();
    const edited = file.read();
    await file.rival(...rival);
    const { code, json } = await exportFile();
    expect([code, json.error?.message]).toEqual([5, expect.stringContaining(problem)]);
    expect(json.error?.conflicts).toMatchObject([{ problems: [expect.stringContaining(problem)] }]);
    expect(file.read()).toBe(edited);
    expect((await exportFile('--force')).code).toBe(0);
    expect((await differences()).changes).toEqual([]);
    expect((await exportFile()).json.result).toBe('unchanged' as never);
  });

  test('is only what is listed: --force keeps the other edits', async () => {
    file.edit(freshTag, greenVip, ['name: Newsletter', 'name: Letters']);
    await file.rival('tags', 'update', 'VIP', '--color', 'brown');
    await file.rival('tags', 'update', 'Newsletter', '--color', 'orange');
    const refused = await exportFile();
    expect([refused.code, refused.json.error]).toMatchObject([
      5,
      {
        code: 'CONFLICT',
        conflicts: [{ label: 'VIP', origin: 'both' }],
        hint: expect.stringContaining('orgchat config export -o orgchat.yaml --force'),
      },
    ]);
    const { json } = await exportFile('--force');
    expect(json.kept).toMatchObject([{ label: 'Fresh' }, { label: 'Letters' }]);
    expect(file.read()).toMatch(/name: Letters\n {4}color: orange/);
    expect(file.read()).toMatch(/name: VIP\n {4}color: brown/);
    expect((await differences()).changes).toMatchObject([{ label: 'Fresh' }, { label: 'Letters' }]);
  });

  test('can be taken from the organization with the command that apply names', async () => {
    file.edit(greenVip);
    await file.rival('tags', 'update', 'VIP', '--color', 'brown');
    const { json } = await file.run(['apply', 'orgchat.yaml', '--yes']);
    const [, args = ''] = /orgchat (config export -o \S+ --force)/.exec(String(json.error?.hint)) ?? [];
    expect((await cli.run([...args.split(' '), '--json'])).code).toBe(0);
    expect((await differences()).changes).toEqual([]);
  });

  test('is everything in a file of another organization', async () => {
    const theirs = `version: 1
tags:
  - { id: 11111111-2222-4333-8444-555555555555, name: Theirs, color: blue }
routes:
  - { name: Theirs, accountId: Nowhere, tagId: Theirs, scenarioId: null }
`;
    writeFileSync(join(cli.folder, 'theirs.yaml'), theirs);
    const { code, json } = await file.run(['export', '-o', 'theirs.yaml']);
    expect(code).toBe(5);
    for (const line of [
      'never exported or applied on this machine',
      'tag "Theirs": only in the file',
      'route "Theirs": only in the file',
      'tag "VIP": not in the file',
      'links: the file has no such section (1 in the organization)',
    ])
      expect(json.error?.message).toContain(line);
    expect((await file.run(['export', '-o', 'theirs.yaml', '--force'])).code).toBe(0);
    expect((await file.run(['diff', 'theirs.yaml'])).json).toMatchObject({
      differences: false,
      unchanged: 16,
    });
  });

  test('is nothing in an empty file, or in one that says the same', async () => {
    const env = { ORGCHAT_STATE_DIR: join(cli.folder, 'elsewhere') };
    const before = file.read();
    expect((await file.run(['export', '-o', 'orgchat.yaml'], { env })).json.result).toBe(
      'unchanged' as never,
    );
    for (const empty of ['', '\n\n']) {
      file.write(empty);
      expect((await file.run(['export', '-o', 'orgchat.yaml'], { env })).code).toBe(0);
      expect(file.read()).toBe(before);
    }
  });

  test('is an edit that was saved while the organization was read', async () => {
    await file.rival('tags', 'update', 'VIP', '--color', 'brown');
    const letGo = cli.hold('getAccount');
    const running = exportFile();
    await expect
      .poll(async () => (await cli.received('getAccount')).length, { interval: 20 })
      .toBeGreaterThan(0);
    file.edit(freshTag);
    const edited = file.read();
    letGo();
    const { code, json } = await running;
    expect([code, json.error?.code, file.read()]).toEqual([5, 'FILE_CHANGED', edited]);
    expect((await exportFile()).json).toMatchObject({ result: 'updated', kept: [{ label: 'Fresh' }] });
  });

  test('is a text in another encoding: the file stays as it is', async () => {
    const bytes = Buffer.from(`# \u00e9\n${file.read()}`, 'latin1');
    writeFileSync(file.path, bytes);
    expect((await exportFile()).json.error?.message).toBe('orgchat.yaml is not UTF-8 text.' as never);
    expect(readFileSync(file.path).equals(bytes)).toBe(true);
  });
});

describe('a server whose records lack what the API promises', () => {
  /** A server before the mock that changes the tags in every answer. */
  async function serverThat(change: (record: Record<string, unknown>) => unknown): Promise<string> {
    const server = createServer(async (request, response) => {
      const sent = await text(request);
      const answer = await fetch(`${new URL(`${cli.ready?.baseUrl}`).origin}${request.url}`, {
        method: `${request.method}`,
        headers: { authorization: `${request.headers.authorization}`, 'content-type': 'application/json' },
        ...(sent !== '' && { body: sent }),
      });
      const body = JSON.stringify(await answer.json(), (_name, value: unknown) =>
        isObject(value) && 'revision' in value && 'color' in value ? change(value) : value,
      );
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  }

  test.each<[string, (record: Record<string, unknown>) => unknown]>([
    ['no color', ({ color: _, ...record }) => record],
    ['its fields elsewhere', ({ id, revision, label, ...data }) => ({ id, revision, label, data })],
    ['a color that is not one', (record) => ({ ...record, color: 'red-ish' })],
  ])('is not exported: %s', async (_what, change) => {
    const env = { ORGCHAT_BASE_URL: await serverThat(change) };
    const before = file.read();
    for (const args of [
      ['export', '-o', 'orgchat.yaml'],
      ['export', '-o', 'orgchat.yaml', '--force'],
      ['export', '-o', 'new.yaml'],
      ['export'],
    ]) {
      const { code, json } = await file.run(args, { env });
      expect(code).toBe(1);
      expect(json.error?.message).toMatch(/tag (?:"VIP"|[0-9a-f-]{36})/);
      expect(json.error?.hint).toContain('orgchat help server');
    }
    expect(file.read()).toBe(before);
  });
});
