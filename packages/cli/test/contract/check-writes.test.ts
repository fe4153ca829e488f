import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useCheckedMocks } from '../../test-support/checked-mocks.ts';
import { checkWrites } from '../../test-support/contract-servers.ts';
import { useCli } from '../../test-support/harness.ts';

const cli = useCli({ inProcess: true });
const { serve } = useCheckedMocks(cli);

describe('contract check --write', () => {
  test('learns what changes do, removes what it created, and keeps it in a private file until then', async () => {
    const { run, mock, state } = await serve({ rateLimit: 'off' });
    const file = join(cli.folder, 'learned.json');
    const { code, json } = await run([...checkWrites, '--yes', '-o', file, '--json']);
    expect([code, json.left, json.stopped]).toEqual([0, [], undefined]);
    const { unknown } = JSON.parse(readFileSync(file, 'utf8'));
    expect(unknown).not.toContain('staleRevision');
    expect(unknown).not.toContain('inputConflict');
    const folder = join(state, 'contract');
    const [kept = ''] = readdirSync(folder).filter((name) => name.startsWith('scratch-'));
    expect(statSync(join(folder, kept)).mode & 0o777).toBe(0o600);
    const { json: tags } = await run(['tags', 'list', '--search', 'orgchat check', '--json']);
    expect(tags).toEqual([]);
    expect(mock.requests.list().filter(({ operation }) => operation === 'changeChat').length).toBeGreaterThan(
      20,
    );
    const cleaned = await run(['contract', 'clean', '--rate', '60', '--json']);
    expect([cleaned.code, cleaned.json]).toEqual([0, { removed: [], left: [] }]);
  });

  test('exits 7 while something is left, with its ids; contract clean asks, and removes it', async () => {
    const { run, mock } = await serve({ rateLimit: 'off' });
    // Nothing is created unless the lists of tags and links can be read.
    mock.faults.arm({ effect: 'lose-response', operation: 'readChat', after: 2, times: 'always' });
    const checked = await run([...checkWrites, '--yes', '--format', 'table']);
    expect(checked.code).toBe(7);
    expect(checked.stdout).toMatch(/Created and not removed: \d+\n {2}(tag|link) [\da-f-]{36}\n/);
    expect(checked.stdout).toContain('Remove what is left: orgchat contract clean');
    const left = await run(['contract', 'clean', '--rate', '60', '--yes', '--json']);
    expect(left.code).toBe(7);
    expect((left.json.left as unknown as object[]).length).toBeGreaterThan(0);
    expect(left.stderr).toContain('What it cannot remove, delete in the app; then run it again.');
    const limited = await run([
      'contract',
      'check',
      '--only',
      'path',
      '--budget',
      '1',
      '--rate',
      '60',
      '--json',
    ]);
    expect([limited.code, limited.json.stopped?.reason]).toEqual([7, 'budget']);
    mock.faults.disarm();
    const asked = await run(['contract', 'clean', '--rate', '60', '--json']);
    expect([asked.code, asked.json.error?.code]).toEqual([3, 'CONFIRMATION_NEEDED']);
    const cleaned = await run(['contract', 'clean', '--rate', '60', '--yes', '--json']);
    expect([cleaned.code, cleaned.json.left]).toEqual([0, []]);
    const { json: tags } = await run(['tags', 'list', '--search', 'orgchat check', '--json']);
    expect(tags).toEqual([]);
  });

  test('exits 7 while something is left, and names it, although its files cannot be written anymore', async () => {
    const { run, mock } = await serve({ rateLimit: 'off' });
    const folder = join(cli.folder, 'gone');
    mkdirSync(folder);
    mock.faults.arm({ effect: 'lose-response', operation: 'readChat', after: 2, times: 'always' });
    const files = ['-o', join(folder, 'server.yaml'), '--junit', join(folder, 'check.xml')];
    const running = run([...checkWrites, '--yes', ...files, '--json']);
    while (mock.requests.list().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    rmSync(folder, { recursive: true });
    const { code, json, stderr } = await running;
    expect([code, (json.left as unknown as object[]).length > 0, json.written]).toEqual([7, true, undefined]);
    const errors = json.errors as unknown as { code: string; message: string }[];
    expect(errors.map(({ code }) => code)).toEqual(['FILE_UNWRITABLE', 'FILE_UNWRITABLE']);
    for (const { message } of errors) expect(stderr).toContain(message);
  });

  test('exits 4 with a key of another organization, before a change', async () => {
    const { run, mock } = await serve();
    const { code, json } = await run([...checkWrites.slice(0, -1), 'org_other', '--yes', '--json']);
    expect([code, json.error?.code]).toEqual([4, 'KEY_OF_ANOTHER_ORGANIZATION']);
    expect(mock.requests.list()).toHaveLength(1);
  });
});
