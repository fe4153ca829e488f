import { join } from 'node:path';
import { createMock } from '@orgchat/mock-server';
import { expect, test } from 'vitest';
import { checkWrites, getRecords } from '../../test-support/contract-servers.ts';
import { useCli } from '../../test-support/harness.ts';

const cli = useCli({ inProcess: true });

const write = [...checkWrites, '--yes'];

/** Kills a check with its nth request, and says what it left and what the clean-up did. All positions are in the soak. */
async function killAndClean(position: number) {
  const mock = createMock({ rateLimit: 'off' });
  const { baseUrl, close } = await mock.listen({ port: 0 });
  const server = { mock, baseUrl, apiKey: 'demo-write-key', fetch };
  const env = { ORGCHAT_BASE_URL: baseUrl, ORGCHAT_STATE_DIR: join(cli.folder, `state-${position}`) };
  const before = await getRecords(server);
  const { child, result } = cli.begin(write, { env });
  // The fault delays the answer for as long as the process lives.
  mock.faults.arm({ effect: 'delay', delayMs: 60_000, after: position - 1, times: 1 });
  const kill = setInterval(() => {
    if (mock.requests.list().length >= position) child.kill('SIGKILL');
  }, 5);
  await result;
  clearInterval(kill);
  mock.faults.disarm();
  const left = await getRecords(server);
  const { code, json } = await cli.run(['contract', 'clean', '--rate', '60', '--yes', '--json'], { env });
  const after = await getRecords(server);
  await close();
  return { isKilled: child.signalCode === 'SIGKILL', left, code, json, before, after };
}

test.each([4, 10, 26])('what a check has left that was killed at request %i is removed', async (position) => {
  const { isKilled, left, code, json, before, after } = await killAndClean(position);
  if (position > 4) expect(left).not.toEqual(before);
  expect([isKilled, code, json.left]).toEqual([true, 0, []]);
  expect(after).toEqual(before);
});
