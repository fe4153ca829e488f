import { accountResponse, boundedResources, type ReadableResource } from '@orgchat/spec';
import { limits } from '@orgchat/spec/limits';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { hasId } from './answers.ts';
import type { Asking, ContractAnswer, Finding, Group, Probe } from './probe.ts';
import { groups } from './probe.ts';
import { probes } from './probes.ts';
import { type ContractTarget, digest, RunFile, type RunStore } from './run-file.ts';
import { Sender, type SenderOptions, Stopped } from './sender.ts';
import { type Fact, topicNames } from './topics.ts';
import { decide, type Verdict } from './verdicts.ts';

export interface CheckOptions extends Omit<SenderOptions, 'baseUrl' | 'apiKey'> {
  readonly store: RunStore;
  readonly only?: readonly Group[] | undefined;
  readonly skip?: readonly Group[] | undefined;
  /** Whether the limit per minute may be reached, which others who use the key notice. */
  readonly exhaustMinute?: boolean | undefined;
  /** Whether to begin again although an earlier run did not end. */
  readonly fresh?: boolean | undefined;
  /** Called before each probe with the number of those that are done. */
  readonly onProbe?: (done: number, total: number, name: string) => void;
}

/** What a run says, as far as it came. */
export interface CheckResult {
  readonly verdicts: readonly Verdict[];
  readonly requests: number;
  /** A digest of server and organization. */
  readonly organization: string;
  readonly startedAt: string;
  /** Probes that are done, without the account. */
  readonly asked: number;
  /** Why it ended before it had asked everything. */
  readonly stopped: Stopped | undefined;
}

type Selection = Pick<CheckOptions, 'only' | 'skip' | 'readKey' | 'exhaustMinute'>;

/** What a group needs that was not given; undefined if nothing. */
function getNeed(group: Group, { readKey, exhaustMinute }: Selection): string | undefined {
  if (group === 'forbidden' && readKey === undefined) return 'it needs --read-key-file';
  return group === 'minute' && !exhaustMinute ? 'it needs --exhaust-minute' : undefined;
}

/** The groups that a run asks. The account is always asked. */
function selectGroups(selection: Selection): readonly Group[] {
  const { only = groups, skip = [] } = selection;
  return groups.filter(
    (group) =>
      group === 'account' ||
      (only.includes(group) && !skip.includes(group) && getNeed(group, selection) === undefined),
  );
}

/** How many probes a run asks after the account. */
export function countProbes(options: Selection): number {
  const selected = selectGroups(options);
  return probes.filter(({ group }) => group !== 'account' && selected.includes(group)).length;
}

/** Asks a server. What it learns is in the run file, so that an ended command can be run again. */
export async function runCheck(
  { baseUrl, apiKey }: ContractTarget,
  options: CheckOptions,
): Promise<CheckResult> {
  const run = await RunFile.open(options.store, { baseUrl, apiKey }, options.now);
  const sender = new Sender(run, { ...options, baseUrl, apiKey });
  const [accountProbe, ...others] = probes as [Probe, ...Probe[]];
  const account = await askAccount(sender);
  const { organizationId, api } = account.parsed;
  const selected = selectGroups(options);
  await run.useOrganization(organizationId, selected, options.fresh === true);
  const asking = createAsking(sender, run, { organizationId, perMinute: api.perMinute }, options.now);
  sender.mindQuota({ used: api.used, limit: api.limit });
  await run.finish(
    accountProbe.name,
    await accountProbe.ask({ ...asking, send: async () => account.answer }),
  );
  const stopped = await askAll(
    run,
    asking,
    others.filter(({ group }) => selected.includes(group)),
    options,
  );
  if (stopped === undefined) await run.end();
  return {
    verdicts: judge(run.state.probes, selected, stopped, options),
    requests: run.state.requests,
    organization: digest(baseUrl, organizationId),
    startedAt: run.state.startedAt,
    asked: Object.keys(run.state.probes).length - 1,
    stopped,
  };
}

/** 32 hexadecimal digits as a UUID. */
const toUuid = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Whether a list has pages. `messages` have a limit, too, and are never read as a whole list. */
const isPaged = (resource: ReadableResource): boolean => !boundedResources.some((name) => name === resource);

function createAsking(sender: Sender, run: RunFile, account: Asking['account'], now: () => number): Asking {
  const lists = new Map<string, Promise<ContractAnswer>>();
  const readList = (resource: ReadableResource): Promise<ContractAnswer> => {
    const known = lists.get(resource);
    if (known !== undefined) return known;
    const body = isPaged(resource) ? { resource, limit: limits.pageSize } : { resource };
    const asked = sender.send({ method: 'POST', path: '/chat/read', body });
    lists.set(resource, asked);
    return asked;
  };
  return {
    account,
    now,
    send: (request) => sender.send(request),
    sendNow: (request) => sender.sendNow(request),
    toOperationId: (name) => toUuid(digest(run.state.id, name)),
    readList,
  };
}

async function askAll(
  run: RunFile,
  asking: Asking,
  selected: readonly Probe[],
  { onProbe }: CheckOptions,
): Promise<Stopped | undefined> {
  try {
    for (const [done, probe] of selected.entries()) {
      onProbe?.(done, selected.length, probe.name);
      // A resumed run has the answer already.
      if (run.state.probes[probe.name] === undefined)
        await run.finish(probe.name, (await probe.ask(asking)).map(withoutIds));
    }
    onProbe?.(selected.length, selected.length, '');
    return undefined;
  } catch (error) {
    if (error instanceof Stopped) return error;
    throw error;
  }
}

/** Whether a fact has an id, such as a pointer into an object whose keys are ids. */
const isPrivate = (fact: Fact): boolean =>
  [fact].flat().some((part) => typeof part === 'string' && hasId(part));

/** What was found, without what could be of a record. */
function withoutIds(finding: Finding): Finding {
  if (!('fact' in finding) || !isPrivate(finding.fact)) return finding;
  const { topic, place } = finding;
  return { topic, place, unknown: 'its place has an id, so it is another one for each record' };
}

type AccountAnswer = ReturnType<typeof accountResponse.parse>;

/** Reads the account. Without it, the run would not know whose run it is. */
async function askAccount(sender: Sender): Promise<{ answer: ContractAnswer; parsed: AccountAnswer }> {
  const answer = await sender.send({ method: 'GET', path: '/me' });
  const parsed = accountResponse.safeParse(answer.json);
  if (answer.status === 200 && parsed.success) return { answer, parsed: parsed.data };
  const { status } = answer;
  if (status === 401 || status === 403)
    throw new CliError(`The server refused the key: GET /me was answered with ${status}.`, {
      code: 'KEY_REFUSED',
      exit: exitCodes.denied,
      hint: 'Use a valid key of an organization with API access: orgchat doctor',
    });
  const field = parsed.error?.issues[0]?.path.join('.');
  throw new CliError(
    status === 200
      ? `GET /me is not answered as clause 4.1.3 says${field ? `: ${field} is missing or of another type` : ''}.`
      : `GET /me was answered with ${status}, so nothing can be checked.`,
    {
      code: status === 200 ? 'UNEXPECTED_SHAPE' : 'NOT_THE_API',
      exit: exitCodes.failed,
      hint: 'Check the base URL, including its path: orgchat doctor',
    },
  );
}

/** Judges every topic by what the probes found. */
function judge(
  done: Readonly<Record<string, readonly Finding[]>>,
  selected: readonly Group[],
  stopped: Stopped | undefined,
  options: Selection,
): readonly Verdict[] {
  const findings = Object.values(done).flat();
  return topicNames.map((topic) => {
    const asked = probes.filter((probe) => probe.topics.includes(topic));
    const isSelected = asked.some(({ group }) => selected.includes(group));
    const [first] = asked;
    const reason = !isSelected
      ? (getNeed(first?.group ?? 'account', options) ?? `the group ${first?.group} was not asked`)
      : stopped !== undefined
        ? 'the run ended before it was asked'
        : 'the answers did not show it';
    return decide(topic, findings, reason);
  });
}
