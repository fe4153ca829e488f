import { isDeepStrictEqual } from 'node:util';
import { createMock, type ServerDescription } from '@orgchat/mock-server';
import { learn } from '../../../packages/cli/src/contract/learn.ts';
import { completeDescription } from '../../../packages/cli/src/contract/write-description.ts';
import { type CheckedServer, CheckHarness } from '../../../packages/cli/test-support/contract.ts';
import { createOrganization } from './create-organization.ts';
import type { Choices } from './members/axes.ts';
import { createPresentation } from './members/create-presentation.ts';
import { describeMember } from './members/describe-member.ts';
import { keys, Service } from './server/service.ts';
import { createDirectFetch } from './uses/direct-fetch.ts';

type Keys = Readonly<Record<string, unknown>>;

/** The values of an object by their paths. */
const flatten = (value: unknown, path = ''): Keys =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.assign({}, ...Object.entries(value).map(([name, inner]) => flatten(inner, `${path}.${name}`)))
    : { [path.slice(1)]: value };

/** What only changes show of a member. */
const shownByWrites = ['codes.staleRevision', 'codes.inputConflict'];
const isShownByWrites = (key: string): boolean =>
  shownByWrites.includes(key) || /^shapes\.result\.(create|update|delete)$/.test(key);

/** What reads show of a member. */
function isShown(key: string, { times, rows, notFound }: Choices): boolean {
  if (key === 'shapes.list.order') return times !== 'absent' && rows === 'whole';
  if (key === 'codes.notFound') return notFound === 'json';
  return ['codes.unauthorized', 'codes.invalidInput', 'limits.pageSize'].includes(key)
    ? true
    : key.startsWith('shapes.') && !key.startsWith('shapes.result');
}

const keepShown = (described: Keys, choices: Choices, isWriting: boolean): Keys =>
  Object.fromEntries(
    Object.entries(described).filter(([key]) => isShown(key, choices) || (isWriting && isShownByWrites(key))),
  );

/** What a check has to learn of the mock with the description of a member: by reads, or also by writes. */
export const plantedIn = (choices: Choices, isWriting = false): Keys =>
  // The mock has no pages for people, and its records always have times.
  keepShown(flatten(describeMember(choices)), { ...choices, notFound: 'json', times: 'present' }, isWriting);

/** What it has to learn of the member itself, which does not look at references. */
export const shownBy = (choices: Choices, isWriting = false): Keys => ({
  ...keepShown(flatten(describeMember(choices)), choices, isWriting),
  ...(isWriting && { 'behavior.unknownReference': 'accepted' }),
});

/** What a check has to hold against a member: its errors are in one language, and a missing record may be a page. */
export const violatedBy = ({ notFound }: Choices): readonly string[] => [
  'errors.localized',
  ...(notFound === 'html' ? ['codes.notFound'] : []),
];

interface LearnedKeys {
  readonly learned: Keys;
  /** The file that it writes. */
  readonly description: ServerDescription;
  readonly requests: number;
  /** How many records it created and did not remove. */
  readonly left: number;
  /** Topics in which it contradicts the contract. */
  readonly violated: readonly string[];
  /** The most requests within a minute, by the clock of the check. */
  readonly mostPerMinute: number;
  /** What the check kept in its files. */
  readonly kept: string;
}

/** The most of some times, in ascending order, within a minute. */
const countPerMinute = (times: readonly number[]): number =>
  Math.max(0, ...times.map((time, at) => times.slice(at).filter((other) => other < time + 60_000).length));

async function learnFrom(
  server: CheckedServer,
  write?: string,
  only?: readonly 'write'[],
): Promise<LearnedKeys> {
  const harness = new CheckHarness();
  const { verdicts, requests, left } = await harness.check(server, { write, only, budget: 200 });
  const found = learn(verdicts);
  const checked = { at: new Date(harness.now).toISOString(), organization: 'x', requests };
  const file = await completeDescription({ name: 'server.json', text: undefined }, verdicts, found, checked);
  const said = found.filter(({ value }) => value !== undefined);
  const learned = Object.fromEntries(said.map(({ key, value }) => [key.join('.'), value]));
  const violated = verdicts.filter(({ verdict }) => verdict === 'violates').map(({ topic }) => topic);
  const kept = [...harness.files.values(), file].join('\n');
  const mostPerMinute = countPerMinute(harness.arrivals);
  const description = JSON.parse(file) as ServerDescription;
  return { learned, description, requests, left: left.length, violated, mostPerMinute, kept };
}

/** What a check may write. */
const mayWrite = [
  ...['create-tags', 'update-tags', 'delete-configuration tags'],
  ...['create-links', 'delete-configuration links'],
];

/** A server of this process that remembers what was written. */
interface LoggedServer extends CheckedServer {
  readonly service: Service;
  /** Each change that was sent, or the path of another write. */
  readonly writes: string[];
}

const family = 'org_family';

function serveMember(choices: Choices): LoggedServer {
  const service = new Service(createOrganization(choices), createPresentation(choices));
  const direct = createDirectFetch(service);
  const writes: string[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith('/chat/changes')) {
      const { change } = (await request.clone().json()) as { change: { action: string; resource?: string } };
      writes.push([change.action, change.resource ?? []].flat().join(' '));
    } else if (!/\/(?:me|no-such-path|read)$/.test(pathname)) writes.push(pathname);
    return direct(request);
  };
  return { baseUrl: 'http://family.test/api/v1', apiKey: keys.write, fetch, service, writes };
}

/** Texts of an organization, as JSON has them within a text, that are long enough to be no word of a check. */
function listValues(organization: object): ReadonlySet<string> {
  const values = new Set<string>();
  JSON.stringify(organization, (_, value: unknown) => {
    if (typeof value === 'string' && value.length > 8) values.add(JSON.stringify(value).slice(1, -1));
    return value;
  });
  return values;
}

export interface LearnedMember extends LearnedKeys {
  readonly changes: number;
  /** Whether the organization is as before. */
  readonly isUnchanged: boolean;
  /** Writes that no check may send. */
  readonly forbidden: readonly string[];
  /** Values of records that the check kept. */
  readonly values: readonly string[];
}

/** What it learns, how many changes it sent, and whether the organization is as before. */
export async function learnMember(choices: Choices, isWriting = false): Promise<LearnedMember> {
  const server = serveMember(choices);
  const { service, writes } = server;
  const before = structuredClone(service.organization);
  const found = await learnFrom(server, isWriting ? family : undefined);
  const isUnchanged = isDeepStrictEqual(service.organization, before);
  const forbidden = writes.filter((write) => !isWriting || !mayWrite.includes(write));
  const values = [...listValues(before)].filter((value) => found.kept.includes(value));
  return { ...found, changes: service.changes.length, isUnchanged, forbidden, values };
}

/** What it learns of the mock with the description of a member: of its twin. */
export async function learnTwin(choices: Choices, isWriting = false): Promise<LearnedKeys> {
  const described = describeMember(choices) as unknown as ServerDescription;
  let now = Date.UTC(2026, 0, 1);
  const mock = createMock({ server: described, rateLimit: 'off', now: () => now });
  const server = {
    baseUrl: mock.baseUrl,
    apiKey: 'demo-write-key',
    fetch: (request: Request) => mock.fetch(request),
  };
  // Longer than a small page.
  for (let number = 0; number < 45; number++) {
    now += 60_000;
    const change = { action: 'create-tags', data: { name: `Tag ${number}`, color: 'blue' } };
    const body = JSON.stringify({ operationId: crypto.randomUUID(), change });
    const headers = { authorization: `Bearer ${server.apiKey}` };
    await mock.fetch(`${mock.baseUrl}/chat/changes`, { method: 'POST', headers, body });
  }
  return learnFrom(server, isWriting ? 'org_demo' : undefined);
}

/** Kills the writes of a check of a member with a request, removes what is left, and says whether anything still is. */
export async function killAndClean(
  choices: Choices,
  killed: Parameters<CheckHarness['checkUntilKilled']>[2],
): Promise<{ readonly isKilled: boolean; readonly isUnchanged: boolean }> {
  const server = serveMember(choices);
  const { organization } = server.service;
  const before = structuredClone(organization);
  const harness = new CheckHarness();
  await harness.checkUntilKilled(server, { only: ['write'], write: family, budget: 200 }, killed);
  const isKilled = harness.arrivals.length >= killed.requests;
  const { left } = await harness.clean(server);
  return { isKilled, isUnchanged: left.length === 0 && isDeepStrictEqual(organization, before) };
}

/**
 * Checks the reads or the changes of a member that answers 429 at a position, if there is one, and says whether that was reached,
 * and what was learned.
 */
export async function limitAt(
  choices: Choices,
  position: number | undefined,
  isWriting: boolean,
): Promise<{ readonly isReached: boolean; readonly learned: Keys; readonly isUnchanged: boolean }> {
  const server = serveMember(choices);
  const { organization } = server.service;
  const before = structuredClone(organization);
  let sent = 0;
  const fetch = (request: Request): Promise<Response> => {
    if (sent++ !== position) return server.fetch(request);
    const headers = sent % 2 === 1 ? { 'retry-after': '7' } : {};
    return Promise.resolve(Response.json({ error: 'slow_down', message: 'x' }, { status: 429, headers }));
  };
  const { learned, left } = isWriting
    ? await learnFrom({ ...server, fetch }, family, ['write'])
    : await learnFrom({ ...server, fetch });
  const isUnchanged = left === 0 && isDeepStrictEqual(organization, before);
  return { isReached: position === undefined || sent > position, learned, isUnchanged };
}
