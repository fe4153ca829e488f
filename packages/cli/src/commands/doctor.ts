import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AuthenticationError, type ClientEvent, OrgChatError, PermissionError } from '@orgchat/sdk';
import { maxListed } from '@orgchat/sdk/internal';
import type { Command } from 'commander';
import { version } from '../../package.json';
import { checkRecords } from '../answer-frames/check-records.ts';
import type { Connection } from '../connection/client.ts';
import { createAttemptMeter, type LastAttempt } from '../connection/last-attempt.ts';
import { findProxy } from '../connection/proxy-settings.ts';
import type { Context } from '../context.ts';
import { action, examples } from '../define-command.ts';
import { getKeywordOutcomeHint } from '../error-conversion/outcome-hints.ts';
import { isNotTheApi } from '../error-conversion/sdk-error-text.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { configDirectory, journalDirectory, stateDirectory } from '../settings/directories.ts';
import { resolveJournal } from '../settings/journal-setting.ts';
import { workingKeychain } from '../settings/key-stores.ts';
import { findOpenProfileFiles, findOpenStateDirectories } from '../settings/open-files.ts';
import { writePrivate } from '../settings/private-files.ts';
import { describeSource } from '../settings/setting-source.ts';
import { type Check, failedCheck, ok, warning } from './doctor/check.ts';
import { checkStore } from './doctor/check-store.ts';

/** A clock that is off makes waits and ages wrong; a minute is what networks and rounding explain. */
const skewAllowedMs = 60_000;

export function configure(command: Command): void {
  action(command, async (context) => {
    const checks = [...(await runLocalChecks(context)), ...(await runRemoteChecks(context))];
    const worst = checks.find(({ result }) => result === 'failed');
    context.exitCode = worst?.exit ?? (worst === undefined ? exitCodes.done : exitCodes.failed);
    const rows = checks.map(({ exit: _, ...check }) => check);
    const { output } = context;
    // A line per check, and fields of checks, in every format.
    if (output.format === 'ndjson' || output.format === 'table' || output.fields !== undefined) {
      await output.many(rows, ['check', 'result', 'detail']);
      if (output.format !== 'table') return;
      // In a column, a command would be truncated.
      for (const { check, hint } of rows) if (hint !== undefined) output.note(`${check}: ${hint}`);
      return;
    }
    await output.one({ ok: worst === undefined, checks: rows });
  });
  examples(command, ['orgchat doctor'], ['orgchat doctor --json']);
}

/** What can be seen without the network. */
async function runLocalChecks(context: Context): Promise<Check[]> {
  const store = await workingKeychain();
  return [
    ok('versions', `orgchat ${version}, Node ${process.versions.node}, ${process.platform} ${process.arch}`),
    await checkDirectories(context),
    ...checkCertificates(context.env),
    ok('keychain', store === undefined ? 'not available; keys are stored in a file' : 'available'),
  ];
}

/** Writes a file into each directory and removes it: only that shows missing permissions, and a full or read-only disk. */
async function checkDirectories(context: Context): Promise<Check> {
  const configuration = configDirectory();
  try {
    const shared = await resolveJournal(context.options, context.env);
    const [name, data] = shared ? ['state', stateDirectory()] : ['journal', journalDirectory()];
    for (const directory of [configuration, data]) {
      const path = join(directory, `doctor-${randomUUID()}.tmp`);
      await writePrivate(path, '');
      await rm(path);
    }
    const detail = `configuration ${configuration}, ${name} ${data}`;
    const open = [...(await findOpenProfileFiles()), ...(await findOpenStateDirectories())];
    return open.length === 0
      ? ok('directories', detail)
      : warning(
          'directories',
          [`${detail}.`, ...open.map(({ problem }) => problem)].join(' '),
          `Restrict access: ${open.map(({ fix }) => fix).join(' && ')}`,
        );
  } catch (error) {
    return failedCheck(context, 'directories', error);
  }
}

/** Node itself warns of this when it connects, and continues. */
function checkCertificates({ NODE_TLS_REJECT_UNAUTHORIZED: checked }: NodeJS.ProcessEnv): Check[] {
  if (checked !== '0') return [];
  const detail =
    'NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not checked, so another server can impersonate the API';
  return [
    warning(
      'certificates',
      detail,
      'Unset it. To trust your own certificate authority, set NODE_EXTRA_CA_CERTS=ca.pem',
    ),
  ];
}

/** What the API and the journal say. */
async function runRemoteChecks(context: Context): Promise<Check[]> {
  let connection: Connection;
  try {
    connection = await context.connect();
  } catch (error) {
    return [await failedCheck(context, 'key and address', error)];
  }
  const { baseUrl, baseUrlSource, apiKeySource, addressWarnings, warnings } = connection.target;
  const address = `${baseUrl} (from ${describeSource(baseUrlSource)})`;
  const proxy = findProxy(baseUrl, context.env);
  const local = [
    addressWarnings.length === 0
      ? ok('address', address)
      : warning('address', `${address}: ${addressWarnings.join(' ')}`, 'Use an https URL.'),
    ...(proxy === undefined ? [] : [ok('proxy', proxy.host)]),
    warnings.length === 0
      ? ok('key', `from ${describeSource(apiKeySource)}`)
      : warning('key', warnings.join(' '), 'Restrict access as shown.'),
  ];
  const remote = await checkApi(context, connection);
  const isReached = remote.every(({ result }) => result !== 'failed');
  const isOfBoth = ({ check }: Check): boolean => remote.some((answered) => answered.check === check);
  return [
    ...local.filter((row) => !isOfBoth(row)),
    ...remote.map((row) =>
      joinChecks(
        local.find(({ check }) => check === row.check),
        row,
      ),
    ),
    ...(isReached ? [await checkShapes(context, connection)] : []),
    await checkJournal(context, connection),
    ...(await checkStore(context, connection)),
  ];
}

/** Whether records can be read as the contract, or the description of the server, says. */
async function checkShapes(context: Context, { client, description }: Connection): Promise<Check> {
  try {
    const { detail, hint } = await checkRecords(client, description, context.interrupt.signal);
    return hint === undefined
      ? ok('records', detail)
      : { check: 'records', result: 'failed', detail, hint, exit: exitCodes.failed };
  } catch (error) {
    return failedCheck(context, 'records', error);
  }
}

/** One row of what was seen without the network and what the API said. */
function joinChecks(local: Check | undefined, remote: Check): Check {
  if (local === undefined) return remote;
  const hints = [remote.hint, local.hint].filter((hint) => hint !== undefined);
  return { ...remote, detail: `${local.detail}: ${remote.detail}`, hint: hints.join(' ') };
}

async function checkApi(context: Context, connection: Connection): Promise<Check[]> {
  // A wait for the rate limit says nothing about the network or the clock.
  const meter = createAttemptMeter();
  const onEvent = (event: ClientEvent): void => {
    meter.onEvent(event);
    connection.onEvent(event);
  };
  try {
    const { signal } = context.interrupt;
    const { data, headers } = await connection.client.with({ onEvent }).account({ signal }).withResponse();
    const { key, plan, api } = data;
    const left = api.limit - api.used;
    const remaining = `${left} of ${api.limit} requests left this month, ${api.perMinute} per minute`;
    return [
      ok('reachable', describeAnswer(meter.last())),
      checkClock(headers.get('date'), meter.last()?.middle ?? Date.now()),
      ok('scope', `${key.scope}, plan ${plan}, key "${key.name}"`),
      left > api.limit / 20
        ? ok('limits', remaining)
        : warning(
            'limits',
            remaining,
            'Less than 5 % of the monthly limit is left. Send fewer requests or upgrade the plan.',
          ),
    ];
  } catch (error) {
    const blamed = findBlamed(error);
    const failed = await failedCheck(context, blamed ?? 'reachable', error);
    return blamed === undefined ? [failed] : [ok('reachable', describeAnswer(meter.last())), failed];
  }
}

/** What to correct after an answer: the key that was refused, or the address where something else answers. */
function findBlamed(error: unknown): 'key' | 'address' | undefined {
  if (error instanceof AuthenticationError || error instanceof PermissionError) return 'key';
  const isElsewhere = error instanceof OrgChatError && (error.status === 404 || isNotTheApi(error));
  return isElsewhere ? 'address' : undefined;
}

/** The duration of the attempt that was answered; the ones before it are only counted. */
function describeAnswer(last: LastAttempt | undefined): string {
  if (last === undefined) return 'answered';
  const { attempt, durationMs } = last;
  return `answered in ${Math.round(durationMs)} ms${attempt > 1 ? `, on attempt ${attempt}` : ''}`;
}

/** Compares the clocks. `middle` is the time between sending and answer, by the clock of this machine. */
function checkClock(date: string | null, middle: number): Check {
  if (date === null) return ok('clock', 'the server sends no Date header');
  // The header has whole seconds.
  const skew = Date.parse(date) + 500 - middle;
  const detail = `${Math.round(Math.abs(skew) / 1000)} s ${skew > 0 ? 'behind' : 'ahead of'} the server`;
  return Math.abs(skew) <= skewAllowedMs
    ? ok('clock', detail)
    : warning('clock', detail, 'Correct the clock of this machine.');
}

async function checkJournal(context: Context, { client, sharedJournal }: Connection): Promise<Check> {
  try {
    // Neither settled ones nor more than a page: there may be very many.
    const open = await client.operations.list({ open: true });
    const problems = await client.operations.problems();
    const where = sharedJournal === undefined ? '' : ` in ${sharedJournal.name}`;
    const detail = `${open.length === maxListed ? 'at least ' : ''}${open.length} open operation${open.length === 1 ? '' : 's'}${where}`;
    if (problems.length > 0) {
      return warning(
        'journal',
        `${detail}; ${problems.map(({ message }) => message).join('; ')}`,
        `Inspect ${sharedJournal?.name ?? journalDirectory()}.`,
      );
    }
    if (open.length === 0) return ok('journal', detail);
    const resumable = open.some(({ kind }) => kind === 'change') ? ['orgchat ops resume --all'] : [];
    const keywords = open.filter(({ kind }) => kind === 'keywords').map(({ operationId }) => operationId);
    const byHand =
      keywords.length > 0 ? [getKeywordOutcomeHint(keywords.length === 1 ? `${keywords[0]}` : 'ID')] : [];
    return warning('journal', detail, [...resumable, ...byHand].join('; '));
  } catch (error) {
    return failedCheck(context, 'journal', error);
  }
}
