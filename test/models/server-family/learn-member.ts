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

/** What reads cannot show of a member. */
function isShown(key: string, { times, rows, notFound }: Choices): boolean {
  if (key === 'shapes.list.order') return times !== 'absent' && rows === 'whole';
  if (key === 'codes.notFound') return notFound === 'json';
  return ['codes.unauthorized', 'codes.invalidInput', 'limits.pageSize'].includes(key)
    ? true
    : key.startsWith('shapes.') && !key.startsWith('shapes.result');
}

const keepShown = (described: Keys, choices: Choices): Keys =>
  Object.fromEntries(Object.entries(described).filter(([key]) => isShown(key, choices)));

/** What the reads of a check have to learn of a member. */
export const plantedIn = (choices: Choices): Keys => keepShown(flatten(describeMember(choices)), choices);

interface LearnedKeys {
  readonly learned: Keys;
  readonly requests: number;
}

async function learnFrom(server: CheckedServer, choices: Choices): Promise<LearnedKeys> {
  const { verdicts, requests } = await new CheckHarness().check(server);
  const said = learn(verdicts).filter(({ value }) => value !== undefined);
  const learned = Object.fromEntries(said.map(({ key, value }) => [key.join('.'), value]));
  return { learned: keepShown(learned, choices), requests };
}

/** What they learn. */
export async function learnMember(choices: Choices): Promise<LearnedKeys & { readonly changes: number }> {
  const service = new Service(createOrganization(choices), createPresentation(choices));
  const baseUrl = 'http://family.test/api/v1';
  const server = { baseUrl, apiKey: keys.write, fetch: createDirectFetch(service) };
  return { ...(await learnFrom(server, choices)), changes: service.changes.length };
}

/** What they learn of the mock with the description of a member: of its twin. */
export async function learnTwin(choices: Choices): Promise<LearnedKeys> {
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
  return learnFrom(server, choices);
}
