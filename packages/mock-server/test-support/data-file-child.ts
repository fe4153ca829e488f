import { createMock } from '../src/index.ts';

/* A mock with a data file in a separate process, so that it can be killed. */
const server = await createMock({ data: process.argv[2] ?? '', rateLimit: 'off' }).listen({ port: 0 });
console.log(server.baseUrl);
