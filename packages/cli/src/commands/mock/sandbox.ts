import { maxSandboxTtlMs } from '@orgchat/mock-server/mock-limits';
import type { Command } from 'commander';
import { durationUpTo, integer, integerOrOff } from '../../args/value-parsers.ts';
import { action, examples } from '../../define-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import { addControlOptions, type ControlOptions } from '../../mock/control-client.ts';
import { control, readDocument, toRows } from './control-access.ts';

interface CreateOptions extends ControlOptions {
  readonly name?: string;
  readonly state?: string;
  readonly rateLimit?: number | false;
  readonly monthlyLimit?: number | false;
  readonly ttl?: number;
  readonly history?: number;
  readonly from?: string;
}

const limit = integerOrOff(0);
const toLimit = (given: number | false): number | 'off' => (given === false ? 'off' : given);

export function sandbox(command: Command): void {
  const group = command
    .command('sandbox')
    .description('isolated sandboxes in one server, for example one per test');
  examples(
    group,
    ['orgchat mock sandbox create', 'prints its URLs'],
    ['orgchat mock sandbox list'],
    ['orgchat mock sandbox drop ID'],
    ['orgchat mock sandbox drop --all'],
  );
  const creating = addControlOptions(
    group.command('create').description('create a sandbox from the seed or a saved state'),
  )
    .option('--name <name>', 'name to show in the list')
    .option('--state <file|->', 'initial state, or a seed')
    .option('--rate-limit <n|off>', 'requests per minute per key (default: same as the mock)', limit)
    .option('--monthly-limit <n|off>', 'requests per month (default: same as the mock)', limit)
    .option(
      '--ttl <time>',
      'drop it after this time without a request, such as 10m',
      durationUpTo(maxSandboxTtlMs, 1),
    )
    .option(
      '--history <n>',
      'number of changes that "mock rewind" can undo (default: same as the mock)',
      integer(0),
    )
    .option('--from <request-id>', 'state just before this request of the mock (requires history)');
  action<CreateOptions>(creating, async (context, options) => {
    const { name, rateLimit, monthlyLimit, ttl, history, from } = options;
    const body = {
      ...(name !== undefined && { name }),
      ...(options.state !== undefined && { state: await readDocument(options.state) }),
      ...(rateLimit !== undefined && { rateLimit: toLimit(rateLimit) }),
      ...(monthlyLimit !== undefined && { monthlyLimit: toLimit(monthlyLimit) }),
      ...(ttl !== undefined && { ttlMs: ttl }),
      ...(history !== undefined && { history }),
      ...(from !== undefined && { from: { requestId: from } }),
    };
    await context.output.one(await control(context, options).call('POST', '/sandboxes', body));
  });
  examples(creating, [
    'ORGCHAT_BASE_URL=$(orgchat mock sandbox create --json --fields baseUrl | jq -r .baseUrl)',
  ]);
  const listing = addControlOptions(group.command('list').alias('ls').description('list the sandboxes'));
  action<ControlOptions>(listing, async (context, options) => {
    const answer = await control(context, options).call('GET', '/sandboxes');
    await context.output.many(toRows(answer, 'sandboxes'), ['name', 'id', 'baseUrl', 'expiresAt']);
  });
  examples(listing, ['orgchat mock sandbox list']);
  const dropping = addControlOptions(
    group.command('drop').alias('delete').description('drop a sandbox, or all of them'),
  )
    .argument('[id]', 'id')
    .option('--all', 'drop all sandboxes');
  action<ControlOptions & { all?: true }>(dropping, async (context, options, id) => {
    if ((id === undefined) === (options.all === undefined))
      throw usageError(
        'Pass either the id of a sandbox or --all.',
        'List the ids: orgchat mock sandbox list',
      );
    if (id === undefined) {
      await context.output.one(await control(context, options).call('DELETE', '/sandboxes'));
      return;
    }
    const answer = await control(context, options).call('DELETE', `/sandboxes/${encodeURIComponent(id)}`);
    await context.output.one(answer ?? { id, dropped: true });
  });
  examples(dropping, ['orgchat mock sandbox drop ID'], ['orgchat mock sandbox drop --all']);
}
