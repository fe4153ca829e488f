import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createMock } from '@orgchat/mock-server';
import { describe, expect, it } from 'vitest';
import { generateApiPages } from '../../../docs/site/reference/api-pages.ts';
import { builtCommand } from '../../../packages/cli/test-support/build.ts';
import { root } from './open-site.ts';

/* The samples of the pages of the API, as programs that send a request to the mock. */

const pages = generateApiPages(root).filter(({ text }) => text.includes('<div class="sample">'));

/** How the code of each tab is run. */
const runs: Readonly<Record<string, (code: string) => readonly [file: string, ...args: string[]]>> = {
  'sh [curl]': (code) => ['sh', '-c', code.replace('curl ', 'curl --silent --show-error --fail ')],
  'py [Python]': (code) => ['python3', '-c', code],
  'sh [orgchat]': (code) => [process.execPath, builtCommand().entry, ...code.split(' ').slice(1)],
};

/** The requests that a sample sends: operation, status, and body without the id, which is another each time. */
async function listRequests(text: string, tab: string): Promise<unknown[]> {
  const [, code = ''] = text.split(`\n\`\`\`\`${tab}\n`)[1]?.match(/^([\s\S]*?)\n````$/m) ?? [];
  const mock = createMock();
  const server = await mock.listen({ port: 0 });
  const [file, ...args] = runs[tab]!(code.replaceAll('http://127.0.0.1:4010/api/v1', server.baseUrl));
  const env = { ...process.env, ORGCHAT_BASE_URL: server.baseUrl, ORGCHAT_API_KEY: mock.writeKey };
  try {
    await promisify(execFile)(file, args, { env });
  } finally {
    await server.close();
  }
  return mock.requests.list().map(({ id, operation, status }) => {
    const { body } = mock.requests.get(id).request;
    const own = typeof body === 'object' ? { ...body, operationId: undefined } : body;
    return { operation, status, body: own };
  });
}

describe.each(pages)('$title', ({ text }) => {
  it.each(Object.keys(runs).slice(1))('sends with %s what curl sends', async (tab) => {
    const expected = await listRequests(text, 'sh [curl]');
    expect(expected).toHaveLength(1);
    expect(await listRequests(text, tab)).toEqual(expected);
  });
});
