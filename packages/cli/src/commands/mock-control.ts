import { isObject } from '@orgchat/spec/is-object';
import { type Command, Option } from 'commander';
import { duration, integer } from '../args/value-parsers.ts';
import type { Context } from '../context.ts';
import { action, examples } from '../define-command.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { addControlOptions, Control, type ControlOptions, controlError } from '../mock/control-client.ts';
import { parseFault } from '../mock/fault-spec.ts';
import type { Row } from '../output/output.ts';
import { writeData } from '../output/streams.ts';

/** The commands that steer a running mock over its control API. */
export function configureControl(command: Command): void {
  stop(command);
  wait(command);
  reset(command);
  state(command);
  fault(command);
  requests(command);
  clock(command);
  sandbox(command);
}

const control = (context: Context, options: ControlOptions): Control => new Control(options, context.env);
async function readDocument(name: string): Promise<unknown> {
  const { parseDocument, readText } = await import('../input/read-input.ts');
  return parseDocument(await readText(name), name);
}
const rowsOf = (value: unknown, name: string): Row[] => {
  const list = Array.isArray(value) ? value : ((value as Record<string, unknown> | undefined)?.[name] ?? []);
  return list as Row[];
};

/** How many requests a mock no longer has in its log; older mocks do not say. */
const droppedEntries = (answer: unknown): number => {
  const entries = propertyOf(propertyOf(answer, 'dropped'), 'entries');
  return typeof entries === 'number' ? entries : 0;
};
const propertyOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

function stop(command: Command): void {
  const stopping = addControlOptions(
    command.command('stop').description('stop a mock started with --detach'),
  );
  action<ControlOptions>(stopping, async (context, options) => {
    const { stopDetached } = await import('../mock/detached-mock.ts');
    await context.output.one(await stopDetached(control(context, options).root));
  });
  examples(stopping, ['orgchat mock stop'], ['orgchat mock stop --url http://127.0.0.1:5010']);
}

function wait(command: Command): void {
  const waiting = addControlOptions(
    command.command('wait').description('wait until the mock is ready (--timeout, default 30s)'),
  );
  action<ControlOptions>(waiting, async (context, options) => {
    const mock = control(context, options);
    const until = Date.now() + (context.options.timeout ?? 30_000);
    for (let pause = 20; ; pause = Math.min(pause * 2, 500)) {
      // A mock that requires a token is ready, too.
      const ready = await mock.send('GET', '/health').then(
        ({ status }) => status < 300 || status === 401,
        () => false,
      );
      if (ready)
        return context.output.one({ ready: true, baseUrl: mock.baseUrl, controlUrl: mock.controlUrl });
      if (context.interrupt.stopping) return;
      if (Date.now() + pause > until) {
        throw new CliError(`The mock server at ${mock.root} is not ready.`, {
          code: 'MOCK_NOT_READY',
          exit: exitCodes.limited,
          hint: 'Start it with orgchat mock start --detach, or wait longer with --timeout 2m.',
        });
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  });
  examples(waiting, ['orgchat mock wait --timeout 10s']);
}

function reset(command: Command): void {
  const resetting = addControlOptions(
    command.command('reset').description('reset state, clock, limits, faults and request log to the seed'),
  );
  action<ControlOptions>(resetting, async (context, options) => {
    await context.output.one((await control(context, options).call('POST', '/reset')) ?? { reset: true });
  });
  examples(resetting, ['orgchat mock reset']);
}

/** Characters of a state that is still indented for people to read. */
const mostIndented = 1_000_000;
/** A state has keys in it. */
const privateMode = 0o600;

function state(command: Command): void {
  const group = command.command('state').description('save and load the state');
  examples(
    group,
    ['orgchat mock state save before.json', 'the default of "orgchat mock state"'],
    ['orgchat mock state load before.json'],
  );
  const saving = addControlOptions(
    group.command('save', { isDefault: true }).description('print the state, or write it to a file'),
  ).argument('[file]', 'file to write (default: standard output)');
  action<ControlOptions>(saving, async (context, options, file) => {
    const saved = await control(context, options).call('GET', '/state');
    const compact = JSON.stringify(saved);
    // Indenting a large state would make it larger than a mock reads.
    const text = compact.length > mostIndented ? compact : JSON.stringify(saved, null, 2);
    if (file === undefined || file === '-') return writeData(`${text}\n`, 'json');
    const { writeAtomic } = await import('../output/write-file.ts');
    await writeAtomic(file, (write) => write(`${text}\n`), privateMode);
    context.output.note(`State saved to ${file}.`);
  });
  examples(saving, ['orgchat mock state save before.json']);
  const loading = addControlOptions(group.command('load').description('load a saved state')).argument(
    '<file|->',
    'saved state',
  );
  action<ControlOptions>(loading, async (context, options, file) => {
    const saved = await readDocument(file);
    await context.output.one(
      (await control(context, options).call('PUT', '/state', saved)) ?? { loaded: true },
    );
  });
  examples(loading, ['orgchat mock state load before.json']);
}

function fault(command: Command): void {
  const group = command
    .command('fault')
    .description('inject faults: lost, cut, late, uncertain or rejected requests');
  examples(
    group,
    ['orgchat mock fault lose-response action=create-tags', 'same as "fault add"'],
    ['orgchat mock fault list'],
    ['orgchat mock fault clear'],
  );
  const list = async (context: Context, options: ControlOptions): Promise<void> => {
    const faults = rowsOf(await control(context, options).call('GET', '/faults'), 'faults');
    await context.output.many(faults, ['id', 'effect', 'operation', 'action', 'times', 'hits']);
  };
  const adding = addControlOptions(
    group.command('add', { isDefault: true }).alias('arm').description('arm a fault'),
  ).argument('[spec...]', 'EFFECT [name=value…], or JSON');
  action<ControlOptions>(adding, async (context, options, ...words) => {
    if (words.length === 0) return list(context, options);
    await context.output.one(await control(context, options).call('POST', '/faults', parseFault(words)));
  });
  examples(
    adding,
    ['orgchat mock fault add lose-response action=create-tags'],
    ['orgchat mock fault add respond operation=getAccount status=429 retryAfter=2 times=3'],
    ['orgchat mock fault add uncertain action=update-tags resolve=afterRequests:2 applied=true'],
  );
  const listing = addControlOptions(
    group.command('list').alias('ls').description('list armed faults and their hits'),
  );
  action<ControlOptions>(listing, list);
  examples(listing, ['orgchat mock fault list'], ['orgchat mock fault list --fields id,effect,hits --json']);
  const clearing = addControlOptions(
    group.command('clear').description('disarm a fault, or all of them'),
  ).argument('[id]', 'id');
  action<ControlOptions>(clearing, async (context, options, id) => {
    const path = id === undefined ? '/faults' : `/faults/${encodeURIComponent(id)}`;
    await context.output.one((await control(context, options).call('DELETE', path)) ?? { cleared: true });
  });
  examples(clearing, ['orgchat mock fault clear'], ['orgchat mock fault clear ID', 'only this fault']);
}

interface VerifyOptions extends ControlOptions {
  readonly operation?: string;
  readonly action?: string;
  readonly key?: string;
  readonly status?: number;
  readonly times: number;
}

function requests(command: Command): void {
  const group = command.command('requests').description('list and verify received requests');
  examples(
    group,
    ['orgchat mock requests list', 'the default of "orgchat mock requests"'],
    ['orgchat mock requests verify --action create-tags --times 1', 'exits 5 if the count differs'],
  );
  const listing = addControlOptions(
    group.command('list', { isDefault: true }).alias('ls').description('list received requests'),
  );
  action<ControlOptions>(listing, async (context, options) => {
    const answer = await control(context, options).call('GET', '/requests');
    const list = rowsOf(answer, 'requests');
    await context.output.many(list, ['id', 'operation', 'action', 'key', 'status', 'applied']);
    const entries = droppedEntries(answer);
    if (entries > 0) context.output.note(`The request log is full. It dropped ${entries} older requests.`);
  });
  examples(
    listing,
    ['orgchat mock requests list'],
    ["orgchat mock requests list --json | jq 'map(select(.status >= 400))'"],
  );
  const clearing = addControlOptions(group.command('clear').description('clear the request log'));
  examples(clearing, ['orgchat mock requests clear']);
  action<ControlOptions>(clearing, async (context, options) => {
    await context.output.one(
      (await control(context, options).call('DELETE', '/requests')) ?? { cleared: true },
    );
  });
  const verifying = addControlOptions(
    group.command('verify').description('check the number of received requests; exits 5 if it differs'),
  )
    .option(
      '--operation <name>',
      'only this operation: getAccount, addSeoKeywords, readChat, changeChat, readStudio',
    )
    .option('--action <action>', 'only changes with this action')
    .option('--key <key>', 'only requests with this key')
    .addOption(
      new Option('--status <status>', 'only requests with this response status').argParser(integer(100, 599)),
    )
    .addOption(new Option('--times <n>', 'expected number of requests').argParser(integer(0)).default(1));
  action<VerifyOptions>(verifying, async (context, options) => {
    const { operation, action: changed, key, status, times } = options;
    const query = { operation, action: changed, key, status, times };
    const answer = await control(context, options).send('POST', '/requests/verify', query);
    if (answer.status === 409) {
      const { verificationError } = await import('../mock/verification-error.ts');
      throw verificationError(answer.body);
    }
    if (answer.status >= 300) throw controlError(answer, 'POST /requests/verify');
    await context.output.one(answer.body);
  });
  examples(verifying, ['orgchat mock requests verify --action create-tags --status 200 --times 1']);
}

interface ClockOptions extends ControlOptions {
  readonly advance?: number;
  readonly set?: string;
  readonly freeze?: true;
  readonly run?: true;
}

function clock(command: Command): void {
  const setting = addControlOptions(
    command.command('clock').description('show or set the clock of the mock; limits and quotas follow it'),
  )
    .option('--advance <time>', 'advance the clock: 61s, 2h, 31d', duration)
    .option('--set <moment>', 'set the clock: 2026-05-01T00:00:00Z')
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

function sandbox(command: Command): void {
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
