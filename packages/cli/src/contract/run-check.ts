import { randomUUID } from 'node:crypto';
import { boundedResources, type ReadableResource } from '@orgchat/spec';
import { limits } from '@orgchat/spec/limits';
import { hasId, isOutage } from './answers.ts';
import { cleanScratch } from './clean-scratch.ts';
import type { ContractAnswer } from './exchange.ts';
import { findFrame } from './find-frame.ts';
import type { Asking, Group, Probe } from './probe.ts';
import { groups } from './probe.ts';
import type { Gap, ProbeResult } from './probe-result.ts';
import { accountProbe } from './probes/account.ts';
import { toRecordProbe } from './probes/records.ts';
import { probes } from './probes.ts';
import { type ContractTarget, digest, type RunFile } from './run-file.ts';
import type { LeftRecord } from './scratch.ts';
import { scratchResources } from './scratch-file.ts';
import { Stopped } from './sender.ts';
import { requireWriting, type StartedRun, type StartOptions, startRun } from './start-run.ts';
import { type Fact, topicNames } from './topics.ts';
import { decide, type Verdict } from './verdicts.ts';
import { Writer } from './writer.ts';

export interface CheckOptions extends StartOptions {
  readonly only?: readonly Group[] | undefined;
  readonly skip?: readonly Group[] | undefined;
  /** Whether the limit per minute may be reached, which others who use the key notice. */
  readonly exhaustMinute?: boolean | undefined;
  /** The organization in which tags and links may be created, changed and deleted; undefined to write nothing. */
  readonly write?: string | undefined;
  /** Whether to begin again although an earlier run did not end. */
  readonly fresh?: boolean | undefined;
  /** Called before each probe with the number of those that are done. */
  readonly onProbe?: (done: number, name: string) => void;
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
  /** What checks have created and nobody has removed yet. */
  readonly left: readonly LeftRecord[];
}

type Selection = Pick<CheckOptions, 'only' | 'skip' | 'readKey' | 'exhaustMinute' | 'write'>;

/** What a group needs that was not given; undefined if nothing. */
function getNeed(group: Group, { readKey, exhaustMinute, write: isWriting }: Selection): string | undefined {
  if (group === 'write' && !isWriting) return 'it needs --write';
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
export async function runCheck(target: ContractTarget, options: CheckOptions): Promise<CheckResult> {
  const started = await startRun(target, options);
  const { run, sender, scratch, account, organizationId } = started;
  if (options.write !== undefined) {
    requireWriting(started, options.write);
    sender.mindScratch(scratch);
  }
  const selected = selectGroups(options);
  await run.useOrganization(organizationId, selected, options.fresh === true);
  const { used, limit } = account.parsed.api;
  sender.mindQuota({ used, limit });
  const asking = createAsking(started, options.now);
  await run.finish(
    accountProbe.name,
    await accountProbe.ask({ ...asking, send: async () => account.answer }),
  );
  // Nothing is written, also not to remove something, without the flag.
  const clean = async (): Promise<void> => {
    if (options.write !== undefined) await cleanScratch(scratch, sender.toCleaner());
  };
  const stopped = await untilStopped(async () => {
    await clean();
    await askAll(started, asking, selected, { ...options, clean });
  });
  const uncleaned = stopped?.reason === 'interrupted' ? undefined : await untilStopped(clean);
  const ended = stopped ?? uncleaned;
  if (ended === undefined) await run.end();
  return {
    verdicts: judge(run.state.probes, selected, ended, options),
    requests: run.state.requests,
    organization: digest(target.baseUrl, organizationId),
    startedAt: run.state.startedAt,
    asked: Object.keys(run.state.probes).length - 1,
    stopped: ended,
    left: scratch.left,
  };
}

async function untilStopped(work: () => Promise<void>): Promise<Stopped | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof Stopped) return error;
    throw error;
  }
}

/** 32 hexadecimal digits as a UUID. */
const toUuid = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Whether a list has pages. `messages` have a limit, too, and are never read as a whole list. */
const isPaged = (resource: ReadableResource): boolean => !boundedResources.some((name) => name === resource);

function createAsking(
  { run, sender, scratch, account, organizationId }: StartedRun,
  now: () => number,
): Asking {
  const lists = new Map<string, Promise<ContractAnswer>>();
  const readList: Asking['readList'] = (resource, again) => {
    const known = lists.get(resource);
    if (known !== undefined && again === undefined) return known;
    const body = isPaged(resource) ? { resource, limit: limits.pageSize } : { resource };
    const asked = sender.send({ method: 'POST', path: '/chat/read', body });
    lists.set(resource, asked);
    return asked;
  };
  return {
    account: { organizationId, perMinute: account.parsed.api.perMinute },
    // A run that is continued does not take for its own what an earlier command has left.
    writer: new Writer(sender, scratch, `orgchat-check ${randomUUID().slice(0, 8)}`),
    now,
    send: (request) => sender.send(request),
    sendNow: (request) => sender.sendNow(request),
    toOperationId: (name) => toUuid(digest(run.state.id, name)),
    readList,
  };
}

async function askAll(
  { run, sender }: StartedRun,
  asking: Asking,
  groups: readonly Group[],
  { onProbe, clean }: Pick<CheckOptions, 'onProbe'> & { readonly clean: () => Promise<void> },
): Promise<void> {
  const selected = probes.filter((probe) => probe !== accountProbe && groups.includes(probe.group));
  for (const [done, probe] of selected.entries()) {
    onProbe?.(done, probe.name);
    // A resumed run has the answer already.
    if (run.state.probes[probe.name] !== undefined) continue;
    // It leaves no request to others.
    if (probe.group === 'minute') await clean();
    sender.requireRequests(probe.requests ?? 1);
    const obstacle = probe.requests === undefined ? undefined : await findObstacle(run, asking);
    const results = obstacle === undefined ? await probe.ask(asking) : listUnremovable(probe, obstacle);
    await run.finish(probe.name, results.map(withoutIds));
  }
  onProbe?.(selected.length, '');
}

/** What has to be known of a record before it can be deleted. */
const needed: readonly ProbeResult['topic'][] = [
  'shapes.one',
  'shapes.record.revision',
  'shapes.record.label',
];

const unremovable: Obstacle = {
  unknown:
    'nothing was created, because it could not be removed: lists cannot be read or have no UUIDs as ids, or a record cannot be read by its id, with revision and label',
};

/** Why nothing is created. */
type Obstacle = Pick<Gap, 'unknown' | 'mayPass'>;

/**
 * Why what is created could not be found again and deleted, also by what was learned of the records that are there; undefined
 * if it could. What may have passed is asked again.
 */
async function findObstacle(run: RunFile, asking: Asking): Promise<Obstacle | undefined> {
  const findPassing = (results: readonly ProbeResult[]): Gap | undefined =>
    results.find((one): one is Gap => 'unknown' in one && one.mayPass === true);
  for (const resource of scratchResources) {
    const name = toRecordProbe(resource);
    let results = run.state.probes[name];
    if (results !== undefined && findPassing(results) !== undefined) {
      await asking.readList(resource, 'again');
      results = (await probes.find((probe) => probe.name === name)?.ask(asking)) ?? [];
      await run.finish(name, results.map(withoutIds));
    }
    const isKnown = (topic: ProbeResult['topic']): boolean =>
      results === undefined || results.some((one) => one.topic === topic && 'fact' in one);
    if (needed.every(isKnown)) continue;
    const passing = findPassing(results ?? []);
    if (passing !== undefined)
      return {
        unknown: `nothing was created, because one of ${resource} could not be read: ${passing.unknown}`,
        mayPass: true,
      };
    const frame = findFrame((await asking.readList(resource)).json);
    if (frame === undefined || frame.rows.length > 0) return unremovable;
  }
  const readUsable = async (resource: ReadableResource): Promise<ContractAnswer> => {
    const answer = await asking.readList(resource);
    return isOutage(answer) ? asking.readList(resource, 'again') : answer;
  };
  return (await asking.writer.canRemove(readUsable)) ? undefined : unremovable;
}

/** Nothing is created that could not be found again. */
const listUnremovable = ({ topics, group }: Probe, obstacle: Obstacle): readonly ProbeResult[] =>
  topics.map((topic) => ({ topic, place: group, ...obstacle }));

/** Whether a fact has an id, such as a pointer into an object whose keys are ids. */
const isPrivate = (fact: Fact): boolean =>
  [fact].flat().some((part) => typeof part === 'string' && hasId(part));

/** What was found, without what could be of a record. */
function withoutIds(result: ProbeResult): ProbeResult {
  if (!('fact' in result) || !isPrivate(result.fact)) return result;
  const { topic, place } = result;
  return { topic, place, unknown: 'its place has an id, so it is another one for each record' };
}

/** Judges every topic by what the probes found. */
function judge(
  done: Readonly<Record<string, readonly ProbeResult[]>>,
  selected: readonly Group[],
  stopped: Stopped | undefined,
  options: Selection,
): readonly Verdict[] {
  const results = Object.values(done).flat();
  return topicNames.map((topic) => {
    const asked = probes.filter((probe) => probe.topics.includes(topic));
    const isSelected = asked.some(({ group }) => selected.includes(group));
    const [first] = asked;
    const reason = !isSelected
      ? (getNeed(first?.group ?? 'account', options) ?? `the group ${first?.group} was not asked`)
      : stopped !== undefined
        ? 'the run ended before it was asked'
        : 'the answers did not show it';
    return decide(topic, results, reason);
  });
}
