import { type Command, Option } from 'commander';
import { integer } from '../../args/value-parsers.ts';
import { action, examples } from '../../define-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import { addControlOptions, type ControlOptions, controlError } from '../../mock/control-client.ts';
import type { Page, RequestPrinting } from '../../mock/requests/request-page.ts';
import { control } from './control-access.ts';

interface ListOptions extends ControlOptions, Page, RequestPrinting {
  readonly follow?: true;
}

interface VerifyOptions extends ControlOptions {
  readonly operation?: string;
  readonly action?: string;
  readonly resource?: string;
  readonly recordId?: string;
  readonly siteId?: string;
  readonly path?: string;
  readonly operationId?: string;
  readonly key?: string;
  readonly status?: number;
  readonly applied?: string;
  readonly body?: string;
  readonly times?: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** The expected number: `--times`, a range, or one request. */
function toTimes({ times, atLeast, atMost }: VerifyOptions): unknown {
  if (atLeast === undefined && atMost === undefined) return times ?? 1;
  if (times === undefined) return { atLeast, atMost };
  throw usageError('--times cannot be used together with --at-least or --at-most.', 'Pass only one of them.');
}

/** The part of the body to look for, which must be a JSON object. */
function parseBody(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw usageError(`--body must be a JSON object, got: ${text}`, `Example: --body '{"resource":"tags"}'`);
  }
}

export function requests(command: Command): void {
  const group = command.command('requests').description('list and verify received requests');
  examples(
    group,
    ['orgchat mock requests list', 'the default of "orgchat mock requests"'],
    ['orgchat mock requests verify --action create-tags --times 1', 'exits 5 if the count differs'],
  );
  const listing = addControlOptions(
    group.command('list', { isDefault: true }).alias('ls').description('list received requests'),
  )
    .addOption(new Option('--after <id>', 'only requests after this id').argParser(integer(0)))
    .addOption(
      new Option('--limit <n>', 'only the newest n requests; with --after the first n').argParser(integer(1)),
    )
    .option('--failed', 'only requests that were refused or got no answer')
    .option('--follow', 'keep printing requests as they arrive, until interrupted')
    .option('--why', 'say why of every request, not only of those that failed');
  action<ListOptions>(listing, async (context, options) => {
    if (options.follow) {
      const { followRequests } = await import('../../mock/requests/follow-requests.ts');
      await followRequests(context, control(context, options), options);
      return;
    }
    const { listRequests } = await import('../../mock/requests/list-requests.ts');
    await listRequests(context, control(context, options), options);
  });
  examples(
    listing,
    ['orgchat mock requests list'],
    ['orgchat mock requests --follow', 'prints requests as they arrive'],
    ['orgchat mock requests --failed --format table', 'for the log of a CI job: what was refused, and why'],
    ['orgchat mock requests --limit 20', 'the newest 20'],
    ["orgchat mock requests list --json | jq 'map(select(.status >= 400))'"],
  );
  const showing = addControlOptions(
    group.command('show').description('show one request with headers and bodies'),
  ).argument('<id>', 'id or requestId');
  action<ControlOptions>(showing, async (context, options, id) => {
    const path = `/requests/${encodeURIComponent(id)}`;
    await context.output.one(await control(context, options).call('GET', path));
  });
  examples(showing, ['orgchat mock requests show 1 --json'], ['orgchat mock requests show req-00000001']);
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
    .option('--resource <resource>', 'only requests that read or change this resource')
    .option('--record-id <id>', 'only requests that changed this record')
    .option('--site-id <id>', 'only keyword writes to this site')
    .option('--path <path>', 'only requests to this path below the base URL')
    .option('--operation-id <id>', 'only changes with this operationId')
    .option('--key <key>', 'only requests with this key')
    .addOption(
      new Option(
        '--applied <true|false>',
        'only requests that changed something (true) or nothing (false)',
      ).choices(['true', 'false']),
    )
    .option('--body <json>', 'only requests whose body contains this JSON object')
    .addOption(
      new Option('--status <status>', 'only requests with this response status').argParser(integer(100, 599)),
    )
    .addOption(new Option('--times <n>', 'expected number of requests (default 1)').argParser(integer(0)))
    .addOption(new Option('--at-least <n>', 'minimum number of requests').argParser(integer(0)))
    .addOption(new Option('--at-most <n>', 'maximum number of requests').argParser(integer(0)));
  action<VerifyOptions>(verifying, async (context, options) => {
    const { operation, action: changed, resource, recordId, siteId, path, operationId, key } = options;
    const { status, applied } = options;
    const query = {
      ...{ operation, action: changed, resource, recordId, siteId, path, operationId, key, status },
      ...(applied !== undefined && { applied: applied === 'true' }),
      body: parseBody(options.body),
      times: toTimes(options),
    };
    const answer = await control(context, options).send('POST', '/requests/verify', query);
    if (answer.status === 409) {
      const { verificationError } = await import('../../mock/verification-error.ts');
      throw verificationError(answer.body);
    }
    if (answer.status >= 300) throw controlError(answer, 'POST', '/requests/verify');
    await context.output.one(answer.body);
  });
  examples(verifying, ['orgchat mock requests verify --action create-tags --status 200 --times 1']);
}
