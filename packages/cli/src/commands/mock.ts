import { type Command, Option } from 'commander';
import { action, examples } from '../action.ts';
import type { ExecOptions, StartOptions } from '../mock/options.ts';
import { integer, integerOrOff } from '../parsers.ts';
import { configureControl } from './mock-control.ts';
import { configureSeed } from './mock-seed.ts';

/** `N`, or `off`. */
const limit = integerOrOff(0);

export function configure(command: Command): void {
  start(command);
  exec(command);
  configureControl(command);
  configureSeed(command);
  drill(command);
  examples(
    command,
    ['orgchat mock start', 'and what to try next'],
    ['orgchat mock exec -- npm test', 'in CI: a mock of its own for a command'],
    ['orgchat mock fault lose-response action=create-tags', 'let something go wrong'],
    ['orgchat mock requests verify --action create-tags --times 1'],
  );
}

/** What decides which mock it is; the same for `start`, `exec` and `drill`. */
function addWorldOptions(command: Command): Command {
  return command
    .option('--seed <file>', 'begin with the organization in this file, not with the demo')
    .option('--random-seed <n>', 'make the same ids again', integer(0))
    .option('--rate-limit <n|off>', 'requests a minute of a key (default 60)', limit)
    .option('--monthly-limit <n|off>', "requests a month (default the plan's)", limit);
}

/** An option of commands that leave a mock to other programs. */
const journalSize = (): Option =>
  new Option('--journal-size <n>', 'number of requests that the log keeps (default 10000)').argParser(
    integer(1),
  );

function start(command: Command): void {
  const starting = addWorldOptions(
    command.command('start').description('run the mock server with the demo organization'),
  )
    .addOption(
      new Option('--port <port>', 'the port; 0 takes a free one').argParser(integer(0, 65_535)).default(4010),
    )
    .addOption(journalSize())
    .option('--host <host>', 'the address to listen on', '127.0.0.1')
    .option('--public-url <url>', 'address in answers, if it is not the Host that clients send')
    .option('--data <file>', 'keep everything in this SQLite file (needs the package libsql)')
    .option('--control-token <token>', 'token of the control API (ORGCHAT_MOCK_CONTROL_TOKEN)')
    .option('--detach', 'return when it is ready; "orgchat mock stop" ends it');
  action<StartOptions>(starting, async (context, options) => {
    const { startMock } = await import('../mock/start.ts');
    await startMock(context, options);
  });
  examples(
    starting,
    ['orgchat mock start'],
    ['orgchat mock start --port 0 --rate-limit off --json', 'the first line is JSON with the addresses'],
    ['orgchat mock start --detach && orgchat mock wait', 'in CI; later: orgchat mock stop'],
    ['orgchat mock start --data demo.sqlite', 'what is changed is there next time'],
  );
}

function exec(command: Command): void {
  const executing = addWorldOptions(
    command.command('exec').description('run a command with a mock of its own, on a free port'),
  )
    .argument('<command...>', 'the command and its arguments, after --')
    .option(
      '--fault <spec>',
      'arm a fault first; may be given several times',
      (spec, before: readonly string[] = []) => [...before, spec],
    )
    .addOption(journalSize())
    .option('--key <key>', 'key to give as ORGCHAT_API_KEY (default: one that may write)')
    .addHelpText(
      'after',
      '\nThe command gets ORGCHAT_BASE_URL, ORGCHAT_API_KEY and ORGCHAT_MOCK_URL. Its exit code is passed on.',
    );
  action<ExecOptions>(executing, async (context, options, ...words) => {
    const { execWithMock } = await import('../mock/exec.ts');
    await execWithMock(context, options, words);
  });
  examples(
    executing,
    ['orgchat mock exec -- npm test'],
    ['orgchat mock exec --rate-limit off --fault lose-response,action=create-tags -- ./import.sh'],
  );
}

function drill(command: Command): void {
  const drilling = addWorldOptions(
    command
      .command('drill')
      .description(
        'apply a configuration again and again, killed after each step, and count what was applied twice',
      ),
  ).argument('<file>', 'a configuration file');
  action<ExecOptions>(drilling, async (context, options, file) => {
    const { drillApply } = await import('../mock/drill.ts');
    await drillApply(context, options, file);
  });
  examples(drilling, ['orgchat mock drill orgchat.yaml']);
}
