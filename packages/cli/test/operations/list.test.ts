import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { useCli } from '../../test-support/harness.ts';

const cli = useCli({ inProcess: true });

describe('ops list', () => {
  let journal: { env: Record<string, string> };
  let ids: string[];

  const list = (...args: string[]) => cli.run(['ops', 'list', ...args], journal);
  const listIds = async (...args: string[]): Promise<string[]> =>
    JSON.parse((await list(...args, '--json')).stdout).map(
      (entry: { operationId: string }) => entry.operationId,
    );

  beforeAll(async () => {
    journal = { env: { ORGCHAT_STATE_DIR: join(cli.folder, randomUUID()) } };
    for (const name of ['One', 'Two', 'Two', 'Three', 'Four'])
      await cli.run(
        ['tags', 'create', '--name', name, '--color', name === 'Two' ? 'pink' : 'green'],
        journal,
      );
    ids = await listIds();
    expect(ids).toHaveLength(5);
  });

  test('shows a page, and how to get the next one', async () => {
    const first = await list('--limit', '2');
    expect(first.stdout).toContain(ids[1]);
    expect(first.stdout).not.toContain(ids[2]);
    expect(first.stderr).toContain(
      `Showing 2 operations. Use --all to show all, or --after ${ids[1]} for the next page.`,
    );
    expect(await listIds('--limit', '2', '--after', `${ids[1]}`)).toEqual(ids.slice(2, 4));
    const last = await list('--limit', '2', '--after', `${ids[3]}`);
    expect(last.stdout).toContain(ids[4]);
    expect(last.stderr).toBe('');
  });

  test('shows all with --all, whatever the limit', async () => {
    expect(await listIds('--all', '--limit', '2')).toEqual(ids);
    const lines = (await list('--all', '--format', 'ndjson')).stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).operationId)).toEqual(ids);
  });

  test('shows the name of the record, in every format', async () => {
    const table = await list('--format', 'table', '--limit', '1');
    expect(table.stdout).toMatch(/^RECORD +WHAT +STATE +OPERATION ID.*\nOne +create-tags +applied +/);
    const values = await list('--format', 'value', '--fields', 'record,what,state');
    expect(values.stdout.split('\n')).toContain('Three\tcreate-tags\tapplied');
    const own = { env: { ORGCHAT_STATE_DIR: join(cli.folder, randomUUID()) } };
    await cli.run(['tags', 'delete', 'VIP', '--yes'], own);
    const deleted = await cli.run(['ops', 'list', '--format', 'value', '--fields', 'what,record'], own);
    expect(deleted.stdout).toBe('delete-configuration\tVIP\n');
  });

  test('rejects a limit and a position that it cannot use', async () => {
    expect((await list('--limit', '0')).code).toBe(3);
    expect((await list('--after', 'last')).code).toBe(3);
    const unknown = await list('--after', randomUUID());
    expect([unknown.code, unknown.stderr]).toMatchObject([6, expect.stringContaining('No operation')]);
  });
});
