/* Serves one request over HTTP, then prints which modules of Node's own fetch that request loaded, as JSON. */
import { get } from 'node:http';
import { createMock } from '../src/index.ts';

const { moduleLoadList } = process as unknown as { readonly moduleLoadList: readonly string[] };
const server = await createMock().listen({ port: 0 });
// Node 24 has loaded them before.
const before = new Set(moduleLoadList);
const headers = { authorization: 'Bearer demo-read-key' };
await new Promise((resolve, reject) => {
  get(`${server.baseUrl}/me`, { headers }, (response) => response.resume().once('end', resolve)).once(
    'error',
    reject,
  );
});
await server.close();
console.log(JSON.stringify(moduleLoadList.filter((name) => name.includes('undici') && !before.has(name))));
