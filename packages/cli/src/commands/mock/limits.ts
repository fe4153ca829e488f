import type { Command } from 'commander';
import { integer, integerOrOff } from '../../args/value-parsers.ts';
import { action, examples } from '../../define-command.ts';
import { addControlOptions, type ControlOptions } from '../../mock/control-client.ts';
import { control } from './control-access.ts';

interface LimitsOptions extends ControlOptions {
  readonly rateLimit?: number | false;
  readonly monthlyLimit?: number | 'plan' | false;
  readonly history?: number;
}

const limit = integerOrOff(0);
const toLimit = <T>(given: T | false): T | 'off' => (given === false ? 'off' : given);

/** `mock limits`: shows limits and history of a running mock, or changes them. */
export function limits(command: Command): void {
  const limiting = addControlOptions(
    command.command('limits').description('show or change limits and history of a running mock'),
  )
    .option('--rate-limit <n|off>', 'requests per minute per key', limit)
    .option('--monthly-limit <n|off|plan>', 'requests per month', (text) =>
      text === 'plan' ? text : limit(text),
    )
    .option('--history <n>', 'number of changes that "mock rewind" can undo; 0 for none', integer(0));
  action<LimitsOptions>(limiting, async (context, options) => {
    const { rateLimit, monthlyLimit, history } = options;
    const patch = {
      ...(rateLimit !== undefined && { rateLimit: toLimit(rateLimit) }),
      ...(monthlyLimit !== undefined && { monthlyLimit: toLimit(monthlyLimit) }),
      ...(history !== undefined && { history }),
    };
    await context.output.one(await control(context, options).call('PATCH', '/limits', patch));
  });
  examples(
    limiting,
    ['orgchat mock limits'],
    ['orgchat mock limits --rate-limit off'],
    ['orgchat mock limits --history 100'],
  );
}
