import { readFile } from 'node:fs/promises';
import { createMock, type Mock } from '@orgchat/mock-server';
import {
  type ClientOptions,
  createClient,
  memoryJournal,
  type OrgChatClient,
  OrgChatError,
} from '../src/index.ts';
import type { ExampleWorld } from './example-names.ts';

const options = { apiKey: 'demo-write-key', pacing: false } as const;

async function failure(call: PromiseLike<unknown>): Promise<OrgChatError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof OrgChatError) return error;
  }
  throw new Error('The call was to reject with an OrgChatError');
}

/** What all examples find: the demo organization. */
export interface ExampleHome {
  readonly mock: Mock;
  readonly found: Omit<ExampleWorld, 'client' | 'journal'>;
}

function requireFirst<T>(records: readonly T[]): T {
  const [first] = records;
  if (first === undefined) throw new Error('The demo has no such record');
  return first;
}

/** Reads once what examples use. */
export async function openHome(): Promise<ExampleHome> {
  const mock = createMock({ rateLimit: 'off' });
  const client = createClient({ ...options, baseUrl: mock.baseUrl, fetch: mock.fetch });
  const tag = await client.tags.get(requireFirst((await client.tags.list()).records).id);
  const friend = await client.friends.get(requireFirst((await client.friends.list()).records));
  const project = requireFirst((await client.studio.projects()).projects);
  const now = new Date().toISOString();
  const { organizationId } = await client.account();
  const found = {
    tag,
    id: tag.id,
    friend,
    accountId: friend.accountId,
    scenario: requireFirst((await client.scenarios.list()).records),
    form: requireFirst((await client.forms.list()).records),
    link: requireFirst((await client.links.list()).records),
    project,
    documentId: requireFirst((await client.studio.documents(project)).documents).id,
    organizationId,
    entry: {
      format: 2,
      operationId: '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21',
      target: 'https://example.com/api/v1 1234',
      kind: 'change',
      path: '/chat/changes',
      body: '{}',
      state: 'pending',
      createdAt: now,
      updatedAt: now,
      deadline: now,
      token: 'a',
      attempts: 0,
    },
    order: { id: 'A-17' },
    words: ['summer', 'sale'],
    failure,
    test: () => undefined,
    readFile,
    ProxyAgent: class {},
  } as const;
  return { mock, found };
}

/** A world in which an example runs, and the `createClient` with which every client reaches that world. */
export function openWorld({ mock, found }: ExampleHome): {
  readonly world: ExampleWorld;
  readonly create: typeof createClient;
  readonly fetch: Mock['fetch'];
} {
  const { baseUrl, fetch } = mock.sandbox();
  const create = (given: ClientOptions = {}): OrgChatClient => {
    const { fetchOptions, ...rest } = given;
    const apiKey = rest.apiKey ?? options.apiKey;
    // `fetchOptions` are for the global fetch: such a client sends nothing here.
    const transport = fetchOptions ? { fetchOptions } : { fetch: rest.fetch ?? fetch };
    return createClient({ pacing: false, ...rest, apiKey, baseUrl, ...transport });
  };
  return { world: { ...found, client: create(), journal: memoryJournal() }, create, fetch };
}
