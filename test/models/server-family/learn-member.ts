import { isDeepStrictEqual } from 'node:util';
import { createMock, type ServerDescription } from '@orgchat/mock-server';
import { learn } from '../../../packages/cli/src/contract/learn.ts';
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
  // The mock has no pages for people.
  keepShown(flatten(describeMember(choices)), { ...choices, notFound: 'json' }, isWriting);

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
  readonly requests: number;
  /** How many records it created and did not remove. */
  readonly left: number;
  /** Topics in which it contradicts the contract. */
  readonly violated: readonly string[];
}

async function learnFrom(server: CheckedServer, write?: string): Promise<LearnedKeys> {
  const { verdicts, requests, left } = await new CheckHarness().check(server, { write, budget: 200 });
  const said = learn(verdicts).filter(({ value }) => value !== undefined);
  const learned = Object.fromEntries(said.map(({ key, value }) => [key.join('.'), value]));
  const violated = verdicts.filter(({ verdict }) => verdict === 'violates').map(({ topic }) => topic);
  return { learned, requests, left: left.length, violated };
}

/** What it learns, how many changes it sent, and whether the organization is as before. */
export async function learnMember(
  choices: Choices,
  isWriting = false,
): Promise<LearnedKeys & { readonly changes: number; readonly isUnchanged: boolean }> {
  const service = new Service(createOrganization(choices), createPresentation(choices));
  const baseUrl = 'http://family.test/api/v1';
  const server = { baseUrl, apiKey: keys.write, fetch: createDirectFetch(service) };
  const before = structuredClone(service.organization);
  const found = await learnFrom(server, isWriting ? 'org_family' : undefined);
  const isUnchanged = isDeepStrictEqual(service.organization, before);
  return { ...found, changes: service.changes.length, isUnchanged };
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
  const service = new Service(createOrganization(choices), createPresentation(choices));
  const fetch = createDirectFetch(service);
  const server = { baseUrl: 'http://family.test/api/v1', apiKey: keys.write, fetch };
  const before = structuredClone(service.organization);
  const harness = new CheckHarness();
  const options = { only: ['write'], write: 'org_family', budget: 200 } as const;
  await harness.checkUntilKilled(server, options, killed);
  const isKilled = harness.arrivals.length >= killed.requests;
  const { left } = await harness.clean(server);
  const isUnchanged = left.length === 0 && isDeepStrictEqual(service.organization, before);
  return { isKilled, isUnchanged };
}
