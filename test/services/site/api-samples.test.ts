import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createMock, demoSeed, type Mock, type SeedDocument } from '@orgchat/mock-server';
import { createClient } from '@orgchat/sdk';
import { describe, expect, it } from 'vitest';
import { generateApiPages } from '../../../docs/site/reference/api-pages.ts';
import { builtCommand } from '../../../packages/cli/test-support/build.ts';
import { listGroups } from '../../test-support/reference-pages.ts';
import { root } from './open-site.ts';

/* The samples of the pages of the API, as programs that send a request to the mock. */

const pages = generateApiPages(root)
  .filter(({ text }) => text.includes('<div class="sample">'))
  .map(({ title, text }) => ({ title, samples: listGroups(text).filter(({ curl }) => curl !== undefined) }));

/** What the samples call the records of the demo. */
const names = {
  vip: '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21',
  salon: '0b9d7c52-4a0f-4a4e-9d77-3f6c2b1a8e10',
  dana: 'U0123456789abcdef0123456789abcdef',
  survey: '5e2a9d47-6c1b-4d38-9f70-3b8a1c6e4d25',
  'spring-page': 'c4d81f6a-2e95-4b07-8a3d-6f1e9b2c7d50',
  welcome: '9a7e5c31-4b2d-4f60-8c1a-7d3e2b9f0a64',
  website: 'd3b4a5f6-1c2d-4e3f-8a9b-0c1d2e3f4a5b',
  'website-document-4': 'b6f0c3d8-5e21-4a97-8d4c-0a9e7f1b3c62',
  'Demo salon': 'Salon',
  'Dana Novak': 'Mika',
  'Welcome series': 'Welcome',
};

const seed = JSON.parse(
  Object.entries(names).reduce(
    (text, [name, other]) =>
      text.replaceAll(new RegExp(`"${name}"|(?<=:)${name}(?=\\})`, 'g'), (found) =>
        found.replace(name, other),
      ),
    JSON.stringify(demoSeed).replace('"tagIds":["vip"]', '"tagIds":[]'),
  ),
) as SeedDocument;

/** How the code of each tab is run. */
const runs: Readonly<Record<string, (code: string) => readonly [file: string, ...args: string[]]>> = {
  curl: (code) => ['sh', '-c', code.replace('curl ', 'curl --silent --show-error --fail ')],
  Python: (code) => ['python3', '-c', code],
  orgchat: (code) => [
    'sh',
    '-c',
    `orgchat() { '${process.execPath}' '${builtCommand().entry}' "$@"; }; ${code}`,
  ],
};

const shownRevision = '3f0a9c1be0b7d4c86a52f1e79d3b80f4c6a1d25e7b9038fc41ad6e5b0297c3d1';

/** The revision that the record of a change has in a mock. */
async function findRevision(mock: Mock, code: string): Promise<string> {
  const query = code.includes(names.dana)
    ? { resource: 'friends', accountId: names.salon, userId: names.dana }
    : { resource: 'tags', id: names.vip };
  const client = createClient({ baseUrl: mock.baseUrl, apiKey: mock.writeKey, fetch: mock.fetch });
  const { record } = (await client.readChat(query as Parameters<typeof client.readChat>[0])) as {
    readonly record: { readonly revision: string };
  };
  return record.revision;
}

/** The request that a sample sends at the end: its operation, its status, and its body with the default, and without the id, which is another each time. */
async function findRequest(sample: Readonly<Record<string, string>>, tab: string): Promise<unknown> {
  const mock = createMock({ seed });
  const server = await mock.listen({ port: 0 });
  const code = sample[tab]!.replaceAll('http://127.0.0.1:4010/api/v1', server.baseUrl).replace(
    shownRevision,
    await findRevision(mock, sample[tab]!),
  );
  const [file, ...args] = runs[tab]!(code);
  const env = { ...process.env, ORGCHAT_BASE_URL: server.baseUrl, ORGCHAT_API_KEY: mock.writeKey };
  try {
    await promisify(execFile)(file, args, { env });
  } finally {
    await server.close();
  }
  const { id, operation, status } = mock.requests.list().at(-1)!;
  const { body } = mock.requests.get(id).request;
  return {
    operation,
    status,
    body: typeof body === 'object' ? { limit: 50, ...body, operationId: undefined } : body,
  };
}

describe.each(pages)('$title', ({ samples }) => {
  it('has a request with each tool', () => {
    expect(samples.length).toBeGreaterThan(0);
    for (const sample of samples)
      expect(Object.keys(sample)).toEqual(['curl', 'TypeScript', 'Python', 'orgchat']);
  });

  it.each(samples)('sends the same with each: $orgchat', async (sample) => {
    const expected = await findRequest(sample, 'curl');
    expect(await findRequest(sample, 'Python')).toEqual(expected);
    expect(await findRequest(sample, 'orgchat')).toEqual(expected);
  });
});
