import { createMock } from '../src/index.ts';

/* A mock with a data file in a separate process, so that it can be killed. */
const mock = createMock({ data: process.argv[2] ?? '', rateLimit: 'off', history: 10 });
const server = await mock.listen({ port: 0 });
console.log(server.baseUrl);
