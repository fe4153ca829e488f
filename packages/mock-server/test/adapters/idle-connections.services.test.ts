import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createMock } from '../../src/index.ts';

/*
 * The connections are opened by two processes of their own, so that this one needs no more than 10,000 open files and
 * each of those half as many. Node raises `ulimit -n` to the hard limit by itself; where that is below 11,000, raise
 * it first: `ulimit -Hn` shows it, and the test fails with that reason if it is too low.
 */
const processes = 2;
const each = 5_000;
/** Maximum memory of a connection. It needs about 8 kB, most of it for Node's socket. */
const bytesEach = 30_000;

/** The next message of a child. */
const nextMessage = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve, reject) => {
    child.once('message', (message: { error?: string }) =>
      message.error === undefined ? resolve(message) : reject(new Error(message.error)),
    );
    child.once('exit', (code) => reject(new Error(`The process with the connections ended with ${code}.`)));
  });

it('keeps 10,000 idle connections in limited memory, and answers in the meantime', async () => {
  const mock = createMock({ rateLimit: 'off', monthlyLimit: 'off', requestLogSize: 100 });
  const server = await mock.listen({ port: 0 });
  const before = process.memoryUsage().rss;
  const script = fileURLToPath(new URL('../../test-support/idle-child.mjs', import.meta.url));
  const children = Array.from({ length: processes }, () => fork(script, [String(server.port), String(each)]));
  try {
    // Each connection got an answer, so all of them were accepted.
    await Promise.all(children.map(nextMessage));
    const took = process.memoryUsage().rss - before;
    for (let i = 0; i < 50; i++) {
      const headers = { Authorization: 'Bearer demo-read-key', Connection: 'close' };
      expect((await fetch(`${server.baseUrl}/me`, { headers })).status).toBe(200);
    }
    const counts = children.map(nextMessage);
    for (const child of children) child.send('count');
    expect(await Promise.all(counts)).toEqual(children.map(() => ({ open: each })));
    expect(took).toBeLessThan(processes * each * bytesEach);
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await server.close();
  }
});
