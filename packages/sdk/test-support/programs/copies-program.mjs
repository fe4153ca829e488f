/*
 * Loads copies of the package that lie beside this file, and checks that each recognizes the errors of the others and
 * decides by them as by its own. Prints what it checked.
 */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const modules = new URL('./node_modules/', import.meta.url);
const load = (file) => import(new URL(file, modules));
const requireInstall = (name) => require(name);

const copies = Object.entries({
  esm: await load('@orgchat/sdk/dist/esm/index.js'),
  cjs: require('@orgchat/sdk'),
  'esm of another install': await load('orgchat-sdk-again/dist/esm/index.js'),
  'cjs of another install': requireInstall('orgchat-sdk-again'),
  bundle: await load('../bundle.mjs'),
});
assert.equal(new Set(copies.map(([, { OrgChatError }]) => OrgChatError)).size, copies.length);

const tag = { name: 'VIP', color: 'pink' };
const id = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
const record = { ...tag, id, revision: 'a'.repeat(64), label: 'VIP' };
const applied = { ok: true, applied: true, replayed: true, auditRecorded: true, result: record };

/** Creates a client that loses the answer of its first change. */
function createLossy({ createClient }, journal) {
  const bodies = [];
  const fetch = async (request) => {
    const body = await request.text();
    if (request.url.endsWith('/chat/read'))
      return Response.json({ record, records: [record], total: 1, limited: false });
    bodies.push(body);
    if (bodies.length > 1) return Response.json(applied);
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
  };
  const baseUrl = 'https://api.example.com/api/v1';
  const options = { apiKey: 'test-key-1234567890', baseUrl, pacing: false, retry: false, fetch };
  return { client: createClient({ ...options, journal }), bodies };
}

/** Every class of one copy is an instance in the other as it is in its own. */
function checkClasses(one, other) {
  const names = Object.keys(one).filter((name) => /^[A-Z].*Error$/.test(name));
  for (const name of names)
    for (const base of names) {
      const error = new one[name]('simulated', { code: 'X' });
      const isOf = Object.prototype.isPrototypeOf.call(one[base].prototype, error);
      assert.equal(error instanceof other[base], isOf, `${name} instanceof ${base}`);
    }
  assert.equal(new Error('plain') instanceof other.OrgChatError, false);
  return names.length;
}

/** The unknown outcome of one copy is one for the other, which finds it in the journal of both. */
async function checkUnknown(one, other) {
  const journal = one.memoryJournal();
  const { client, bodies } = createLossy(one, journal);
  const error = await client.tags.create(tag).catch((thrown) => thrown);
  assert(error instanceof other.OutcomeUnknownError);
  assert(!(error instanceof other.UncertainOperationError));
  assert.equal(error.outcome, 'unknown');
  const { operations } = createLossy(other, journal).client;
  assert.equal((await operations.get(error.operationId)).state, 'unknown');
  assert.notEqual((await operations.reconcile(error)).verdict, 'not-applied');
  assert.equal((await error.resume()).operationId, error.operationId);
  assert.equal(bodies[0], bodies[1]);
}

/** The items of a run of one copy use a client of the other. With an intent, an unknown item runs again. */
async function checkBulk(one, other) {
  const run = async (toOptions) => {
    const { client, bodies } = createLossy(one);
    const item = (_, context) => client.tags.create(tag, toOptions(context)).then(() => 'all of it');
    const first = await createLossy(other).client.bulk([1], item);
    const [before] = first.results;
    const [after] = (await first.resume()).results;
    assert.equal(new Set(bodies).size, 1);
    return [before.status, after.status, after.value ?? after.error.code];
  };
  assert.deepEqual(await run(({ intent }) => ({ intent })), ['unknown', 'done', 'all of it']);
  assert.deepEqual(await run(() => ({})), ['unknown', 'failed', 'ITEM_UNFINISHED']);
}

let classes = 0;
let pairs = 0;
for (const [from, one] of copies)
  for (const [to, other] of copies)
    try {
      classes = checkClasses(one, other);
      await checkUnknown(one, other);
      await checkBulk(one, other);
      pairs++;
    } catch (cause) {
      throw new Error(`An error of ${from} in ${to}`, { cause });
    }
// What a program imports in Node is the copy that it requires.
assert.equal((await import('@orgchat/sdk')).OrgChatError, require('@orgchat/sdk').OrgChatError);
console.log(JSON.stringify({ classes, pairs }));
