import type { Command } from 'commander';
import { action, examples } from '../../define-command.ts';
import { addControlOptions, type ControlOptions } from '../../mock/control-client.ts';
import { control } from './control-access.ts';

export function stop(command: Command): void {
  const stopping = addControlOptions(
    command.command('stop').description('stop a mock started with --detach'),
  );
  action<ControlOptions>(stopping, async (context, options) => {
    const { stopDetached } = await import('../../mock/detached-mock.ts');
    await context.output.one(await stopDetached(control(context, options).root));
  });
  examples(stopping, ['orgchat mock stop'], ['orgchat mock stop --url http://127.0.0.1:5010']);
}
