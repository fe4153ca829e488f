/* The mock by its other doors: in process, in a sandbox, kept in a file, in a fixture of node:test. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createMock, demoKeys } from '@orgchat/mock-server';
import { fixture } from '@orgchat/mock-server/node-test';

const headers = { authorization: `Bearer ${demoKeys.write}` };
const create = { action: 'create-tags', data: { name: 'Kept', color: 'green' } };
const operationId = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';

async function change(mock) {
  const body = JSON.stringify({ operationId, change: create });
  const response = await mock.fetch(`${mock.baseUrl}/chat/changes`, { method: 'POST', headers, body });
  assert.equal(response.status, 200);
  return response.json();
}

describe('the doors of the mock', () => {
  it('mock.fetch answers, and a sandbox is a world of its own', async () => {
    const mock = createMock();
    const sandbox = mock.sandbox();
    assert.equal((await change(mock)).replayed, false);
    assert.equal((await change(sandbox)).replayed, false);
    assert.equal((await change(mock)).replayed, true);
    sandbox.drop();
    assert.equal((await sandbox.fetch(`${mock.baseUrl}/me`)).status, 401);
  });

  it('a saved state goes on where it was', async () => {
    const first = createMock();
    await change(first);
    const second = createMock({ state: JSON.parse(JSON.stringify(first.state())) });
    assert.equal((await change(second)).replayed, true);
  });

  it('a file is kept through a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'data-'));
    const data = join(folder, 'mock.db');
    const first = createMock({ data });
    await change(first);
    first.close();
    const second = createMock({ data });
    assert.equal((await change(second)).replayed, true);
    second.close();
    rmSync(folder, { recursive: true });
  });

  it('a fixture gives a client, and shows what was applied', async (t) => {
    const { client, mock, requestLog } = await fixture(t);
    mock.faults.arm({ effect: 'lose-response', operation: 'changeChat' });
    const created = await client.tags.create({ name: 'Once', color: 'blue' });
    requestLog.appliedExactlyOnce(created.operationId);
  });
});
