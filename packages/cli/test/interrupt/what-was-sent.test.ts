import { expect, test } from 'vitest';
import { getRejection } from '../../../sdk/test-support/rejection.ts';
import { toCliError } from '../../src/error-conversion/to-cli-error.ts';
import { Interrupt } from '../../src/interrupt.ts';

/** The error of a command that is interrupted. */
async function interrupt(command: (interrupt: Interrupt) => Promise<void>) {
  const run = new Interrupt();
  return getRejection(run.runWithSignals(() => command(run), toCliError));
}

const stop = async (): Promise<void> => {
  process.emit('SIGINT', 'SIGINT');
  throw new Error('aborted');
};

test('a command that had sent nothing says so', async () => {
  expect(await interrupt(stop)).toMatchObject({
    code: 'INTERRUPTED',
    exit: 130,
    hint: 'No change was sent. Run the command again.',
  });
});

test('a command that had begun to send changes names the journal', async () => {
  const error = await interrupt(async (run) => {
    await run.runToEnd('the change', async () => {});
    await stop();
  });
  expect(error).toMatchObject({ hint: 'Requests in progress are in the journal: orgchat ops list' });
});
