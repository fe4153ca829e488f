import { limits } from '@orgchat/spec/limits';
import { type Command, Option } from 'commander';
import { integer, repeatable } from '../args/value-parsers.ts';
import { action, examples } from '../define-command.ts';
import { accessLogFormats } from '../mock/access-log.ts';
import type { ExecOptions, StartOptions } from '../mock/mock-options.ts';
import { addWorldOptions } from '../mock/world-options.ts';
import { clock } from './mock/clock.ts';
import { drill } from './mock/drill.ts';
import { fault } from './mock/fault.ts';
import { fixture } from './mock/fixture.ts';
import { inject } from './mock/inject.ts';
import { limits as configureLimits } from './mock/limits.ts';
import { open } from './mock/open.ts';
import { records } from './mock/records.ts';
import { requests } from './mock/requests.ts';
import { reset } from './mock/reset.ts';
import { rewind } from './mock/rewind.ts';
import { sandbox } from './mock/sandbox.ts';
import { configureSeed } from './mock/seed.ts';
import { state } from './mock/state.ts';
import { stop } from './mock/stop.ts';
import { wait } from './mock/wait.ts';

export function configure(command: Command): void {
  start(command);
  exec(command);
  stop(command);
  wait(command);
  open(command);
  reset(command);
  rewind(command);
  state(command);
  fault(command);
  requests(command);
  inject(command);
  records(command);
  clock(command);
  configureLimits(command);
  sandbox(command);
  configureSeed(command);
  drill(command);
  fixture(command);
  examples(
    command,
    ['orgchat mock start', 'prints URLs, keys and commands to try'],
    ['orgchat mock exec -- npm test', 'in CI: runs a command with its own mock'],
    ['orgchat mock fault lose-response action=create-tags', 'inject a fault'],
    ['orgchat mock requests verify --action create-tags --times 1'],
  );
}

/** For `start` and `exec`, whose mock serves other programs. */
const requestLogSize = (): Option =>
  new Option('--request-log-size <n>', 'number of requests to keep in the log (default 10000)').argParser(
    integer(1),
  );

const logBytes = (): Option =>
  new Option('--log-bytes <n>', 'bytes of bodies to keep in the log (default 33554432)').argParser(
    integer(0),
  );

const requireJson = (): Option =>
  new Option('--require-json', 'refuse request bodies without Content-Type: application/json');

/** The mock says which number is the maximum. */
const history = (): Option =>
  new Option('--history <n>', 'number of changes that "mock rewind" can undo (default 0)').argParser(
    integer(0),
  );

const accessLog = (otherwise: string): Option =>
  new Option('--access-log <format>', `one line per request on stderr (default: ${otherwise})`).choices(
    accessLogFormats,
  );

function start(command: Command): void {
  const starting = addWorldOptions(
    command.command('start').description('run the mock server with the demo organization'),
    limits.requestsPerMinute,
  )
    .addOption(
      new Option('--port <port>', 'port; 0 picks a free port').argParser(integer(0, 65_535)).default(4010),
    )
    .addOption(requestLogSize())
    .addOption(logBytes())
    .addOption(requireJson())
    .addOption(history())
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--public-url <url>', 'URL for addresses in responses (default: the Host header)')
    .option('--data <file>', 'store all data in this SQLite file (requires the package libsql)')
    .option('--data-accept-loss', 'with --data: start although the file is damaged, without what is lost')
    .option('--control-token <token>', 'control API token (ORGCHAT_MOCK_CONTROL_TOKEN)')
    .addOption(accessLog('text, or off with --json or --quiet'))
    .option('--detach', 'run in the background; stop it with "orgchat mock stop"');
  action<StartOptions>(starting, async (context, options) => {
    const { startMock } = await import('../mock/start-mock.ts');
    await startMock(context, options);
  });
  examples(
    starting,
    ['orgchat mock start'],
    ['orgchat mock start --port 0 --rate-limit off --json', 'the first line is JSON with the URLs'],
    ['orgchat mock start --detach && orgchat mock wait', 'in CI; later: orgchat mock stop'],
    ['orgchat mock start --data demo.sqlite', 'keeps changes across restarts'],
  );
}

function exec(command: Command): void {
  const executing = addWorldOptions(
    command.command('exec').description('run a command with its own mock on a free port'),
  )
    .argument('<command...>', 'a command and its arguments; options before it are those of mock exec')
    .addOption(
      repeatable(
        new Option('--fault <spec>', 'fault to inject, such as lose-response,action=create-tags; repeatable'),
      ),
    )
    .addOption(requestLogSize())
    .addOption(logBytes())
    .addOption(requireJson())
    .addOption(history())
    .addOption(accessLog('off'))
    .option('--log <file>', 'write all requests to this file: .har for an HTTP archive, .ndjson for lines')
    .option('--key <key>', 'key to pass as ORGCHAT_API_KEY (default: one with write scope)')
    .addHelpText(
      'after',
      '\nThe command gets ORGCHAT_BASE_URL, ORGCHAT_API_KEY, ORGCHAT_MOCK_URL and directories of its own, and no other\nvariable that begins with ORGCHAT_. Its exit code is returned. If it fails, the requests that the mock refused are\nlisted on stderr, and why.',
    );
  action<ExecOptions>(executing, async (context, options, ...words) => {
    const { execWithMock } = await import('../mock/exec/exec-with-mock.ts');
    await execWithMock(context, options, words);
  });
  examples(
    executing,
    ['orgchat mock exec -- npm test'],
    ['orgchat mock exec --fault lose-response,action=create-tags -- ./import.sh'],
    ['orgchat mock exec --log requests.har -- pytest', 'keeps all requests, sandboxes included'],
  );
}
