/*
 * The mock behind msw: it answers what a program sends with the global fetch. msw intercepts the requests, and the answers
 * have state, revisions, limits and faults.
 *
 *   npm run example msw
 */
import { createMock } from '@orgchat/mock-server';
import { handlers } from '@orgchat/mock-server/msw';
import { createClient } from '@orgchat/sdk';
import { setupServer } from 'msw/node';

const baseUrl = 'https://api.example.com/api/v1';
const mock = createMock();
const server = setupServer(...handlers(mock, baseUrl));
server.listen({ onUnhandledRequest: 'error' });

const client = createClient({ apiKey: 'demo-write-key', baseUrl, retry: { baseDelayMs: 1 } });
mock.faults.arm({ effect: 'lose-response', operation: 'changeChat' });
const { replayed, result } = await client.tags.create({ name: 'From msw', color: 'brown' });
console.log(`created ${result?.name}, replayed: ${replayed}`);

server.close();
