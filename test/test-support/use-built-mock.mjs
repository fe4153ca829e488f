/*
 * Uses every part of the built mock server that is loaded only when it is needed: `use-built-mock.mjs import`, or
 * `require`. It fails if a part does not answer, and if there is a part that it does not use.
 */
import { equal, ok } from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const load = (name) => (process.argv[2] === 'require' ? require(name) : import(name));

const { createMock } = await load('@orgchat/mock-server');

const folder = mkdtempSync(join(tmpdir(), 'built-mock-'));
try {
  const seed = join(folder, 'seed.yaml');
  writeFileSync(seed, 'organizations: [{ id: org_of_file }]');
  const [organization] = (await createMock({ seed })).organizations();
  equal(organization.id, 'org_of_file');
} finally {
  rmSync(folder, { recursive: true });
}

const mock = createMock();
const read = async (path) => {
  const response = await mock.fetch(`http://mock.example${path}`);
  equal(response.status, 200, path);
  const text = await response.text();
  ok(text.length > 0, path);
  return text;
};
const { paths } = JSON.parse(await read('/_mock/openapi.json'));
const documents = Object.keys(paths).filter((path) => path.startsWith('/openapi'));
ok(documents.length >= 3, documents.join());
const page = ['/', '/inspector.js', '/inspector.css'];
for (const path of [...documents, ...page, '/docs/decisions', '/docs/D62']) await read(`/_mock${path}`);
for (const path of ['/openapi.yaml', '/openapi-3.0.yaml']) ok((await read(path)).includes('/chat/changes:'));

const { fixture } = await load('@orgchat/mock-server/node-test');
const { client } = await fixture({ after: (drop) => drop() });
equal(typeof client.account, 'function');

const built = dirname(require.resolve('@orgchat/mock-server'));
const lazy = readdirSync(built)
  .filter((file) => file.endsWith('.js'))
  .flatMap((file) => [
    ...readFileSync(join(built, file), 'utf8').matchAll(/=> __toESM\(require\("(.+?)"\)\)/g),
  ])
  .map(([, name]) => require.resolve(name, { paths: [built] }));
ok(lazy.length > 0);
for (const file of lazy) ok(file in require.cache, `${file} is not used here`);
