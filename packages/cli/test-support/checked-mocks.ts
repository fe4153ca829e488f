import { join } from 'node:path';
import { createMock, type MockOptions } from '@orgchat/mock-server';
import { afterEach } from 'vitest';
import type { Harness, Result } from './harness.ts';

/** Three runs have fewer than 60 requests, so that no test waits for the pacing. */
export const shortCheck = ['contract', 'check', '--only', 'invalid,missing,lists', '--rate', '60'];

export const shorterCheck = ['contract', 'check', '--only', 'invalid,lists', '--rate', '60'];

/** A server with two differences from the decisions. */
export const differing = {
  server: 1,
  codes: { invalidInput: 'validation_failed' },
  shapes: { list: { records: '/items' } },
} as const;

/** Mocks that the command checks, each until its test ends. */
export function useCheckedMocks(cli: Harness) {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  /** A mock on a port, with a state directory of its own for its runs. */
  async function serve(options: MockOptions = {}) {
    const mock = createMock(options);
    const server = await mock.listen({ port: 0 });
    closing.push(() => server.close());
    const state = join(cli.folder, `state-${closing.length}-${new URL(server.baseUrl).port}`);
    const env = { ORGCHAT_BASE_URL: server.baseUrl, ORGCHAT_STATE_DIR: state };
    return {
      mock,
      state,
      baseUrl: server.baseUrl,
      run: (args: readonly string[]): Promise<Result> => cli.run([...args], { env }),
    };
  }

  /** Runs a check, and does something between its first request and the others. */
  async function interfere(args: readonly string[], work: (state: string, baseUrl: string) => void) {
    const { run, mock, state, baseUrl } = await serve({ server: differing });
    mock.faults.arm({ effect: 'delay', delayMs: 500, operation: 'readChat', times: 1 });
    const running = run(args);
    while (mock.requests.list().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    work(state, baseUrl);
    const result = await running;
    return { result, requests: mock.requests.list().length };
  }

  return { serve, interfere };
}
