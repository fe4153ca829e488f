import type { Command } from 'commander';
import { action, examples } from '../../define-command.ts';
import { addControlOptions, type ControlOptions } from '../../mock/control-client.ts';
import { control } from './control-access.ts';

/** `mock rewind`: goes back to the state before a request. */
export function rewind(command: Command): void {
  const rewinding = addControlOptions(
    command
      .command('rewind')
      .description('go back to the state just before a request (requires --history of mock start)'),
  ).argument('<request-id>', 'id or requestId, as in "orgchat mock requests"');
  action<ControlOptions>(rewinding, async (context, options, requestId) => {
    await context.output.one(await control(context, options).call('POST', '/rewind', { requestId }));
  });
  examples(
    rewinding,
    ['orgchat mock start --history 100', 'keeps the states before the last 100 changes'],
    ['orgchat mock rewind 17', 'undoes request 17 and all later ones'],
    ['orgchat mock sandbox create --from 17', 'a sandbox with the state before request 17'],
  );
}
