import { describe, expect, test } from 'vitest';
import { InvalidInputError } from '../src/index.ts';
import { getRejection } from '../test-support/rejection.ts';
import { json, scripted } from '../test-support/servers/scripted.ts';

/* Wrong arguments reject the promise that a method returns. JavaScript lets anything through that the types refuse. */

type Method = (...given: readonly unknown[]) => PromiseLike<unknown> & Partial<AsyncIterable<unknown>>;

/** The methods of a client, and of the objects in it, by path. */
function listMethods(object: object, path: string): [string, Method][] {
  return Object.entries(object).flatMap(([name, value]): [string, Method][] =>
    typeof value === 'function' ? [[`${path}.${name}`, value]] : listMethods(value, `${path}.${name}`),
  );
}

const open = () => scripted([json({})], { retry: false });
const names = listMethods(open().client, 'client')
  .map(([name]) => name)
  // It makes a client and throws what createClient() throws.
  .filter((name) => name !== 'client.with');
const odd = [
  undefined,
  null,
  42,
  '',
  Symbol('odd'),
  [],
  {},
  { maxItems: -1 },
  { timeoutMs: -1 },
  { signal: 1 },
];

describe('no method throws', () => {
  test('of more than 70', () => expect(names.length).toBeGreaterThan(70));

  test.each(names)('%s', async (name) => {
    const { client } = open();
    const method = new Map(listMethods(client, 'client')).get(name) as Method;
    const lists = [[], ...odd.flatMap((one) => [[one], [one, one], [one, one, one]])];
    for (const given of lists) {
      const returned = method(...given);
      // A watch can only be iterated, and rejects where the iteration begins.
      if (name !== 'client.watch') expect(returned.then).toBeTypeOf('function');
      await Promise.resolve(returned).catch((error: unknown) => expect(error).toBeInstanceOf(Error));
      const iterate = returned[Symbol.asyncIterator]?.bind(returned);
      if (iterate) await getRejection(iterate().next());
    }
  });
});

const friend = { accountId: 'a', userId: 'U' };
const vip = { name: 'VIP', color: 'pink' };
const same = (data: unknown): unknown => data;

test.each<[string, readonly unknown[], RegExp]>([
  ['client.tags.get', [undefined], /Expected an id, or a record with an id; got undefined/],
  ['client.tags.update', [null, {}], /Expected an id, or a record with an id; got null/],
  ['client.tags.edit', [{}, same], /Expected an id, or a record with an id; got an object without one/],
  [
    'client.tags.edit',
    ['id', undefined],
    /edit\(\) requires a function that returns the new data; got undefined\.$/,
  ],
  ['client.friends.edit', [friend, { notes: 'x' }], /edit\(\) requires a function .* got object\.$/],
  ['client.friends.get', [], /Expected a friend as it was read, or { accountId, userId }/],
  ['client.friends.get', ['U'], /got string/],
  ['client.friends.setTags', [{ userId: 'U' }, []], /Expected a friend.* got an object without both ids/],
  ['client.friends.enroll', [friend], /Expected an id/],
  ['client.studio.documents', [null], /Expected an id/],
  ['client.studio.document', ['id'], /Expected an id/],
  ['client.forms.submissions', [], /Expected an id/],
  ['client.links.clicks', [7], /got number/],
  ['client.keywords.add', ['..', {}], /siteId must be a non-empty string .* got "\.\."\.$/],
  ['client.keywords.add', ['\ud800', {}], /of valid Unicode, .* got "\\ud800"\.$/],
  ['client.keywords.add', [7, {}], /got number/],
  ['client.tags.create', [vip, { operationId: 'A-17' }], /got "A-17"\. .* use intent or operationIdFrom\(\)/],
  ['client.tags.create', [{ name: 1n }], /Remove circular references and BigInt values/],
  ['client.operations.get', [17], /operationId must be a UUID; got number/],
])('%s says what is missing, and nothing is sent', async (name, given, message) => {
  const { client, sent } = open();
  const method = new Map(listMethods(client, 'client')).get(name) as Method;
  const error = await getRejection(method(...given));
  expect(error).toBeInstanceOf(InvalidInputError);
  expect(error).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringMatching(message) });
  expect(sent).toHaveLength(0);
});
