import { setMaxListeners } from 'node:events';
import { createMock } from '@orgchat/mock-server';
import { expect, test } from 'vitest';
import { AnsweredRequests } from './answered-requests.ts';
import { runClient } from './client-run.ts';

test('many runs at the same time each know their requests, without a listener of each on every response', async () => {
  const mock = createMock({ rateLimit: 'off' });
  const { url, close } = await mock.listen();
  const answered = new AnsweredRequests();
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on('warning', note);
  const { signal } = new AbortController();
  // As for the signal of a command.
  setMaxListeners(0, signal);
  const request = "fetch(process.env.BASE_URL + '/me').then((answer) => answer.text())";
  const setup = {
    mock,
    words: [process.execPath, '-e', request] as const,
    createEnvironment: (sandbox: typeof mock) => ({ BASE_URL: sandbox.addresses(url).baseUrl }),
    timeoutMs: 60_000,
    answered,
    initialState: mock.state(),
    signal,
  };
  try {
    const fault = { effect: 'delay', delayMs: 1 } as const;
    const runs = await Promise.all(Array.from({ length: 12 }, () => runClient(setup, { fault })));
    expect(runs.map(({ exit, log, hasWaited }) => [exit, log.length, hasWaited])).toEqual(
      Array(12).fill([0, 1, true]),
    );
    expect(answered.ids.size).toBe(12);
    expect(warnings).toEqual([]);
  } finally {
    process.off('warning', note);
    answered.stop();
    await close();
  }
});
