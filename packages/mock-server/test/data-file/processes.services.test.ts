import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bundleProgram } from '../../../../test/test-support/bundle-program.ts';
import { createMock } from '../../src/index.ts';
import { SeededRandom } from '../../src/primitives/seeded-random.ts';
import { Caller } from '../../test-support/caller.ts';
import { data, nobody } from '../../test-support/data.ts';
import { RestartableMock } from '../../test-support/restartable-mock.ts';

const tagChange = { action: 'create-tags', data: data.tags };

const file = new RestartableMock();

describe('a data file of a server in a separate process', () => {
  it('is not shared: another process is rejected until the first one ends', async () => {
    const child = await spawnServer();
    expect(() => createMock({ data: file.path })).toThrow(/in use by another mock server/);
    child.process.kill('SIGKILL');
    await child.gone;
    file.start();
  });

  it('every answered change survives kill -9 at any moment', async () => {
    const chance = new SeededRandom(7);
    const answered = new Map<string, unknown>();
    for (let round = 0; round < 3; round++) {
      const child = await spawnServer();
      const caller = new Caller({ baseUrl: child.baseUrl, fetch });
      const enough = 20 + chance.nextInt(120);
      let count = 0;
      const worker = async (): Promise<void> => {
        for (;;) {
          const id = crypto.randomUUID();
          const { status, body } = await caller.change(id, tagChange);
          if (status === 200) answered.set(id, body.result);
          if (++count === enough) child.process.kill('SIGKILL');
        }
      };
      await Promise.allSettled(Array.from({ length: 8 }, worker));
      await child.gone;
      const { mock, caller: after } = file.start();
      for (const [id, result] of answered) {
        const { body } = await after.change(id, tagChange);
        expect([body.replayed, body.result]).toEqual([true, result]);
      }
      const { total } = (await after.read({ resource: 'tags', limit: 1 })).body;
      expect(mock.operations()).toHaveLength(total - 3);
      expect((await after.read({ resource: 'tags', id: nobody })).status).toBe(404);
      mock.close();
    }
  });

  it('has the state of a rewind once it is answered, also after kill -9', async () => {
    const child = await spawnServer();
    const caller = new Caller({ baseUrl: child.baseUrl, fetch });
    const operationIds = Array.from({ length: 4 }, () => crypto.randomUUID());
    for (const id of operationIds) await caller.change(id, tagChange);
    const rewound = await fetch(new URL('/_mock/rewind', child.baseUrl), {
      method: 'POST',
      body: JSON.stringify({ requestId: 3 }),
    });
    child.process.kill('SIGKILL');
    expect(rewound.status).toBe(200);
    await child.gone;
    const { mock, caller: after } = file.start();
    expect((await after.read({ resource: 'tags' })).body.total).toBe(5);
    expect(mock.operations()).toMatchObject(
      operationIds
        .slice(0, 2)
        .sort()
        .map((operationId) => ({ operationId })),
    );
    expect(mock.audit()).toHaveLength(2);
  });
});

async function spawnServer(): Promise<{ process: ChildProcess; baseUrl: string; gone: Promise<unknown> }> {
  const script = fileURLToPath(new URL('../../test-support/data-file-child.ts', import.meta.url));
  const child = spawn(process.execPath, [bundleProgram(script), file.path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const baseUrl = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (line: Buffer) => resolve(line.toString().trim()));
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)));
  });
  return { process: child, baseUrl, gone };
}
