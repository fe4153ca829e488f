import type { Command } from 'commander';
import { action, examples } from '../../define-command.ts';
import { CliError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { addControlOptions, type ControlOptions } from '../../mock/control-client.ts';
import { control } from './control-access.ts';

export function wait(command: Command): void {
  const waiting = addControlOptions(
    command.command('wait').description('wait until the mock is ready (--timeout, default 30s)'),
  );
  action<ControlOptions>(waiting, async (context, options) => {
    const mock = control(context, options);
    const until = Date.now() + (context.flags.timeout ?? 30_000);
    for (let pause = 20; ; pause = Math.min(pause * 2, 500)) {
      // A mock that requires a token is ready, too.
      const ready = await mock.send('GET', '/health').then(
        ({ status }) => status < 300 || status === 401,
        () => false,
      );
      if (ready)
        return context.output.one({ ready: true, baseUrl: mock.baseUrl, controlUrl: mock.controlUrl });
      if (context.interrupt.stopping) return;
      if (Date.now() + pause > until) {
        throw new CliError(`The mock server at ${mock.root} is not ready.`, {
          code: 'MOCK_NOT_READY',
          exit: exitCodes.limited,
          hint: 'Start it with orgchat mock start --detach, or wait longer with --timeout 2m.',
        });
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  });
  examples(waiting, ['orgchat mock wait --timeout 10s']);
}
