import type { Command } from 'commander';
import { action, examples } from '../../define-command.ts';
import { addControlOptions, type ControlOptions } from '../../mock/control-client.ts';
import { control } from './control-access.ts';

export function reset(command: Command): void {
  const resetting = addControlOptions(
    command.command('reset').description('reset state, clock, limits, faults and request log to the seed'),
  );
  action<ControlOptions>(resetting, async (context, options) => {
    await context.output.one((await control(context, options).call('POST', '/reset')) ?? { reset: true });
  });
  examples(resetting, ['orgchat mock reset']);
}
