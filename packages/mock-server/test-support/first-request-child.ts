/* Serves one request over HTTP, then prints which modules of Node's own fetch were loaded, as JSON. */
import { get } from 'node:http';
import { createMock } from '../src/index.ts';

const server = await createMock().listen();
const headers = { authorization: 'Bearer demo-read-key' };
await new Promise((resolve, reject) => {
  get(`${server.baseUrl}/me`, { headers }, (response) => response.resume().once('end', resolve)).once(
    'error',
    reject,
  );
});
await server.close();
const { moduleLoadList } = process as unknown as { readonly moduleLoadList: readonly string[] };
console.log(JSON.stringify(moduleLoadList.filter((name) => name.includes('undici'))));
