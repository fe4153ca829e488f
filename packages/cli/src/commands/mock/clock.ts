import { maxAdvanceMs } from '@orgchat/mock-server/mock-limits';
import type { Command } from 'commander';
import { dateAndTime, durationUpTo } from '../../args/value-parsers.ts';
import { action, examples } from '../../define-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import { addControlOptions, type ControlOptions } from '../../mock/control-client.ts';
import { control } from './control-access.ts';

interface ClockOptions extends ControlOptions {
  readonly advance?: number;
  readonly set?: string;
  readonly freeze?: true;
  readonly run?: true;
}

export function clock(command: Command): void {
  const setting = addControlOptions(
    command.command('clock').description('show or set the clock of the mock; limits and quotas follow it'),
  )
    .option('--advance <time>', 'advance the clock: 61s, 2h, 31d', durationUpTo(maxAdvanceMs))
    .option('--set <time>', 'set the clock: 2026-05-01T00:00:00Z', dateAndTime)
    .option('--freeze', 'stop the clock')
    .option('--run', 'start the clock again');
  action<ClockOptions>(setting, async (context, options) => {
    const { advance, set, freeze, run } = options;
    if (freeze && run)
      throw usageError('--freeze and --run cannot be used together.', 'Pass only one of them.');
    const asked = {
      ...(advance !== undefined && { advanceMs: advance }),
      ...(set !== undefined && { now: set }),
      ...((freeze || run) && { frozen: freeze === true }),
    };
    const mock = control(context, options);
    const changes = Object.keys(asked).length > 0;
    await context.output.one(
      await (changes ? mock.call('POST', '/clock', asked) : mock.call('GET', '/clock')),
    );
  });
  examples(
    setting,
    ['orgchat mock clock'],
    ['orgchat mock clock --advance 61s', 'ends the current minute limit'],
  );
}
