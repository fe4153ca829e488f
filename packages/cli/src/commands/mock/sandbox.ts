import type { Command } from 'commander';
import { action, examples } from '../../define-command.ts';
import { addControlOptions, type ControlOptions } from '../../mock/control-client.ts';
import { control, readDocument } from './control-access.ts';

export function sandbox(command: Command): void {
  const group = command
    .command('sandbox')
    .description('isolated sandboxes in one server, for example one per test');
  examples(group, ['orgchat mock sandbox create', 'prints its URLs'], ['orgchat mock sandbox drop ID']);
  const creating = addControlOptions(
    group.command('create').description('create a sandbox from the seed or a saved state'),
  ).option('--state <file|->', 'initial state');
  action<ControlOptions & { state?: string }>(creating, async (context, options) => {
    const saved = options.state === undefined ? undefined : await readDocument(options.state);
    await context.output.one(
      await control(context, options).call('POST', '/sandboxes', saved === undefined ? {} : { state: saved }),
    );
  });
  examples(creating, [
    'ORGCHAT_BASE_URL=$(orgchat mock sandbox create --json --fields baseUrl | jq -r .baseUrl)',
  ]);
  const dropping = addControlOptions(
    group.command('drop').alias('delete').description('drop a sandbox'),
  ).argument('<id>', 'id');
  action<ControlOptions>(dropping, async (context, options, id) => {
    const answer = await control(context, options).call('DELETE', `/sandboxes/${encodeURIComponent(id)}`);
    await context.output.one(answer ?? { id, dropped: true });
  });
  examples(dropping, ['orgchat mock sandbox drop ID']);
}
