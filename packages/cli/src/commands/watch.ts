import { limits } from '@orgchat/spec/limits';
import { type Command, Option } from 'commander';
import { positiveDuration } from '../args/value-parsers.ts';
import type { Context } from '../context.ts';
import { action, examples } from '../define-command.ts';
import { getLookup } from '../resources/lookup.ts';
import type { WatchFlags } from '../watch/print-events.ts';

/** Adds the options that all commands of the group have. */
function addWatchOptions(command: Command): Command {
  return command
    .option(
      '--exec <line>',
      'run this shell line for each event, with the event as JSON on its standard input',
    )
    .addOption(
      new Option('--on-error <stop|skip>', 'what to do if the line of --exec fails (default: stop)').choices([
        'stop',
        'skip',
      ]),
    )
    .addOption(
      new Option(
        '--since <now|all>',
        'where to begin without a cursor: with what is new, or with all that the API shows (default: now)',
      ).choices(['now', 'all']),
    )
    .addOption(
      new Option(
        '--every <time>',
        'time between rounds (default: by the limits of the key, at least 60s)',
      ).argParser(positiveDuration),
    )
    .option('--cursor <name>', 'keep under this name how far it got, and continue there next time');
}

async function watch(
  context: Context,
  flags: WatchFlags,
  targets: () => Promise<Parameters<typeof import('../watch/print-events.ts').printEvents>[2]>,
): Promise<void> {
  const { printEvents, requireWatchFlags } = await import('../watch/print-events.ts');
  requireWatchFlags(flags);
  await printEvents(context, flags, await targets());
}

export function configure(command: Command): void {
  const messages = addWatchOptions(
    command
      .command('messages')
      .description('print incoming messages as JSON lines, until interrupted')
      .option('--account, --account-id <account>', 'only this account: id or name'),
  );
  action<WatchFlags & { accountId?: string }>(messages, (context, options) =>
    watch(context, options, async () => {
      const { accountId: named } = options;
      const accountId = named === undefined ? undefined : await getLookup(context).id('accounts', named);
      return { messages: accountId === undefined ? true : { accountId } };
    }),
  );
  const submissions = addWatchOptions(
    command.command('submissions').description('print form submissions as JSON lines, until interrupted'),
  ).argument('<name...>', 'forms: ids or names');
  action<WatchFlags>(submissions, (context, options, ...names) =>
    watch(context, options, async () => ({ submissions: await findIds(context, 'forms', names) })),
  );
  const clicks = addWatchOptions(
    command.command('clicks').description('print clicks on links as JSON lines, until interrupted'),
  ).argument('<name...>', 'links: ids or names');
  action<WatchFlags>(clicks, (context, options, ...names) =>
    watch(context, options, async () => ({ clicks: await findIds(context, 'links', names) })),
  );
  examples(
    messages,
    ['orgchat watch messages | jq -r .record.text'],
    ['orgchat watch messages --cursor inbox --exec ./answer.sh', 'continues where it stopped'],
  );
  examples(submissions, [
    'orgchat watch submissions Survey --since all',
    `at most ${limits.pageSize} old ones`,
  ]);
  examples(clicks, ['orgchat watch clicks "Spring page" --every 5m']);
  examples(
    command,
    ['orgchat watch messages --cursor inbox --exec ./answer.sh'],
    ['orgchat watch submissions Survey --since all'],
  );
  command.addHelpText(
    'after',
    `
Each record is printed at least once. Its "id" never changes, so that a repeated one can be recognized. An event with the
type "gap" says that records may be missing, because the API does not show them any more.
The cursor moves when a line is written, or when the line of --exec exits 0. Otherwise the event comes again.`,
  );
}

async function findIds(
  context: Context,
  resource: 'forms' | 'links',
  names: readonly string[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) ids.push(await getLookup(context).id(resource, name));
  return ids;
}
