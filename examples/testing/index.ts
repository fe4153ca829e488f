/*
 * Tests of your own code against the mock, in process and over HTTP. welcome.ts is the code, in-process.test.ts and
 * over-http.test.ts are its tests. This file runs it once.
 *
 *   npm run example testing
 *   npx vitest run examples/testing
 */
import { createMock } from '@orgchat/mock-server';
import { createClient } from '@orgchat/sdk';
import { welcome } from './welcome.ts';

const mock = createMock();
const client = createClient({ apiKey: 'demo-write-key', baseUrl: mock.baseUrl, fetch: mock.fetch });
const { records } = await client.friends.list({ limit: 1 });
for (const friend of records) console.log(await welcome(client, friend));
