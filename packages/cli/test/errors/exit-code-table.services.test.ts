import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exitCodes } from '../../src/errors/exit-codes.ts';
import { useCli } from '../../test-support/harness.ts';
import { atTerminal } from '../../test-support/pty.ts';
import { signalInChange } from '../../test-support/signal-in-change.ts';
import { create } from '../../test-support/tags.ts';

const cli = useCli({ holdsAnswers: true });

type Name = keyof typeof exitCodes;
type Run = () => Promise<number | null>;

const run =
  (args: string, env: Record<string, string> = {}): Run =>
  async () =>
    (await cli.run([...args.split(' '), '--json'], { env })).code;

/** Runs a command to which one request is answered as a fault says. */
const runWith =
  (fault: Record<string, unknown>, args: string): Run =>
  async () => {
    await cli.control('POST', '/faults', fault);
    return run(args)();
  };

/** Ends a change while its request is answered. */
const runAndEnd =
  (signal: NodeJS.Signals): Run =>
  async () => {
    const { code, json } = await signalInChange(cli, create('Ended'), signal);
    expect(json.applied).toBe(true);
    return code;
  };

/** A way to each exit code. The compiler asks for every one. */
const ways: Readonly<Record<Name, Run>> = {
  done: run('account'),
  failed: run('account --retries 0', { ORGCHAT_BASE_URL: 'http://127.0.0.1:9/api/v1' }),
  differences: async () => {
    writeFileSync(join(cli.folder, 'one.yaml'), 'tags: [{ name: Another, color: blue }]\n');
    return run('config diff one.yaml --exit-code')();
  },
  usage: run('tags get'),
  denied: run('account', { ORGCHAT_API_KEY: 'demo-revoked-key' }),
  conflict: run(`tags update VIP --color blue --expect-revision ${'0'.repeat(64)}`),
  notFound: run('tags get Nobody'),
  unknown: runWith(
    { effect: 'lose-response', action: 'create-tags' },
    'tags create --name Lost --color blue --retries 0',
  ),
  declined: async () => {
    const { code } = await atTerminal(cli, ['tags', 'delete', 'VIP'], { typed: [['[y/N]', 'n']] });
    return code;
  },
  limited: runWith(
    { effect: 'respond', operation: 'getAccount', status: 429, error: 'RATE_LIMITED', retryAfter: '3600' },
    'account',
  ),
  mockNotStarted: run('mock exec --seed nowhere.json -- true'),
  mockNotRun: run('mock exec -- .'),
  mockNotFound: run('mock exec -- orgchat-test-nowhere'),
  hungUp: runAndEnd('SIGHUP'),
  interrupted: runAndEnd('SIGINT'),
  terminated: runAndEnd('SIGTERM'),
};

test.each(Object.entries(exitCodes) as [Name, number][])('%s exits %i', async (name, code) => {
  expect(await ways[name]()).toBe(code);
});
