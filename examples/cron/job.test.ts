import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createMock, type Listening } from '@orgchat/mock-server';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { bundleProgram } from '../../test/test-support/bundle-program.ts';

// A delay of a fault lasts until the test ends it.
let arrived = (): void => {};
let proceed = (): void => {};
const mock = createMock({
  rateLimit: 'off',
  sleep: () => {
    arrived();
    return new Promise((resolve) => {
      proceed = resolve;
    });
  },
});
let listening: Listening;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  listening = await mock.listen({ port: 0 });
});
afterAll(() => listening.close());
beforeEach(() => {
  mock.reset();
  const journal = mkdtempSync(join(tmpdir(), 'cron-'));
  env = { ORGCHAT_BASE_URL: listening.baseUrl, ORGCHAT_API_KEY: 'demo-write-key', JOURNAL_DIR: journal };
});

/** Starts the job as cron does, in a process of its own. */
function start(more: NodeJS.ProcessEnv = {}) {
  const args = [bundleProgram(fileURLToPath(new URL('./job.ts', import.meta.url))), '2026-11-22'];
  const job = spawn(process.execPath, args, { env: { ...process.env, ...env, ...more } });
  const ended = Promise.all([text(job.stdout), text(job.stderr), once(job, 'close')]).then(
    ([stdout, stderr, [code]]) => ({ stdout, stderr, code: code as number | null }),
  );
  return { job, ended };
}

const applied = () => mock.requests.list().filter((request) => request.applied).length;

it('a run that is killed is finished by the next one, and a third one changes nothing', async () => {
  mock.faults.arm({ effect: 'delay', operation: 'changeChat', delayMs: 1 });
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const killed = start();
  await arrival;
  killed.job.kill('SIGKILL');
  expect(await killed.ended).toMatchObject({ code: null });
  proceed();

  const second = await start().ended;
  expect(second).toMatchObject({ code: 0, stderr: '' });
  expect(second.stdout).toMatch(/of an earlier run: applied\nTag "Orders of 2026-11-22" exists\.\n$/);
  const third = await start().ended;
  expect(third).toMatchObject({ code: 0, stderr: '' });
  expect(third.stdout).toMatch(/^Tag "Orders of 2026-11-22" exists\.\n$/);
  expect(applied()).toBe(1);
});

it('exits with 75 while the outcome is unknown, and with 0 once it is known', async () => {
  mock.faults.arm({ effect: 'uncertain', operation: 'changeChat', resolve: { afterRequests: 1 } });
  expect(await start().ended).toMatchObject({
    code: 75,
    stderr: expect.stringContaining('UncertainOperation'),
  });
  expect(await start().ended).toMatchObject({ code: 0 });
  expect(applied()).toBe(1);
});

it('exits with 1 if the change is refused', async () => {
  const refused = await start({ ORGCHAT_API_KEY: 'demo-read-key' }).ended;
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('PermissionError') });
  expect(applied()).toBe(0);
});
