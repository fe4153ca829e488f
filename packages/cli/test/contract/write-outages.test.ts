import { expect, test } from 'vitest';
import type { Verdict, VerdictName } from '../../src/contract/verdicts.ts';
import { CheckHarness } from '../../test-support/contract.ts';
import {
  alter,
  getRecords,
  ignoreLabels,
  ignoreRevisions,
  serve,
} from '../../test-support/contract-servers.ts';

/* What happens to a check of changes on the way says nothing about the server. */

const write = 'org_demo';
const only = ['write'] as const;

const namesOf = (verdicts: readonly Verdict[], ...wanted: readonly VerdictName[]): string[] =>
  verdicts.filter(({ verdict }) => wanted.includes(verdict)).map(({ topic }) => topic);

// Each of the changes gets half of the answers, by turns.
test.each([
  [500, 'INTERNAL_ERROR', 0],
  [404, 'RUNTIME_UNAVAILABLE', 1],
  [409, 'OPERATION_UNCERTAIN', 0],
  [403, 'PLAN_REQUIRED', 1],
  [403, 'SUSPENDED', 0],
])('an answer %i %s to any change says nothing about what changes do', async (status, error, first) => {
  for (let position = first; position < 24; position += 2) {
    let sent = 0;
    const server = alter(serve(), (body, send) =>
      sent++ === position ? Promise.resolve(Response.json({ error, message: 'x' }, { status })) : send(body),
    );
    const { verdicts } = await new CheckHarness().check(server, { only, write });
    expect([position, namesOf(verdicts, 'violates', 'differs', 'mixed')]).toEqual([position, []]);
  }
});

test.each([
  ['one answer, of a request that arrived', true, 1],
  ['two answers, of requests that did not arrive', false, 2],
])('neither does the page of a gateway in place of %s', async (_, hasArrived, count) => {
  // The account is the first request, without which nothing is asked.
  for (let position = hasArrived ? 1 : 2; position < 56; position += 3) {
    const server = serve();
    const before = await getRecords(server);
    let sent = 0;
    const fetch = async (request: Request): Promise<Response> => {
      const isOut = sent >= position && sent < position + count;
      sent++;
      if (!isOut) return server.fetch(request);
      if (hasArrived) await server.fetch(request);
      return new Response('<h1>Bad gateway</h1>', { status: 502 });
    };
    const harness = new CheckHarness();
    const { verdicts } = await harness.check({ ...server, fetch }, { only, write });
    expect([position, namesOf(verdicts, 'violates', 'differs', 'mixed')]).toEqual([position, []]);
    expect((await harness.clean(server)).left).toEqual([]);
    expect(await getRecords(server)).toEqual(before);
  }
});

test.each([
  ['revisions', ignoreRevisions, 'expectedRevision', /^0+$/],
  ['labels', ignoreLabels, 'expectedLabel', / no$/],
] as const)(
  'neither does it if the server ignores %s, and has applied the change',
  async (_, plant, guard, wrong) => {
    const server = serve();
    const before = await getRecords(server);
    let pages = 0;
    const lossy = alter(plant(server), async (body, send) => {
      const answer = await send(body);
      if (answer.status !== 200 || !wrong.test(String(body.change[guard]))) return answer;
      pages++;
      return new Response('<h1>Bad gateway</h1>', { status: 502 });
    });
    const { verdicts, left } = await new CheckHarness().check(lossy, { only, write });
    expect([pages, namesOf(verdicts, 'violates'), left]).toEqual([1, [], []]);
    expect(await getRecords(server)).toEqual(before);
    const isKnown = verdicts.some(({ topic, seen }) => topic === 'write.labelText' && seen.length > 0);
    expect(isKnown).toBe(guard === 'expectedRevision');
  },
);

test('neither does a code that means so by the description of the server', async () => {
  for (const [codes, status] of [
    [{ uncertain: 'pending' }, 409],
    [{ runtimeUnavailable: 'pending' }, 404],
    [{ suspended: 'pending' }, 403],
  ] as const) {
    const error = { error: 'pending', message: 'x' };
    let sent = 0;
    const server = alter(serve(), (body, send) =>
      sent++ === 3 ? Promise.resolve(Response.json(error, { status })) : send(body),
    );
    const { verdicts } = await new CheckHarness().check(server, { only, write, codes });
    expect([status, namesOf(verdicts, 'violates', 'differs', 'mixed')]).toEqual([status, []]);
  }
});
