import { createMock } from '@orgchat/mock-server';
import { median, spread } from './load.ts';

/* A whole `mock.fetch` call against the same round trip through a function that only reads the body and answers. */
const mock = createMock({ rateLimit: 'off', monthlyLimit: 'off' });
const ask = (fetch: (request: Request) => Promise<Response>, body: string): Promise<string> =>
  fetch(
    new Request(`${mock.baseUrl}/chat/read`, {
      method: 'POST',
      headers: { Authorization: 'Bearer demo-write-key', 'Content-Type': 'application/json' },
      body,
    }),
  ).then((response) => response.text());

const list = JSON.parse(await ask(mock.fetch, JSON.stringify({ resource: 'tags' }))) as {
  records: { id: string }[];
};
const body = JSON.stringify({ resource: 'tags', id: list.records[0]?.id });
const answer = await ask(mock.fetch, body);
const bare = async (request: Request): Promise<Response> => {
  await request.text();
  return new Response(answer, { headers: { 'Content-Type': 'application/json' } });
};
const cost = async (fetch: (request: Request) => Promise<Response>): Promise<number> => {
  const begun = performance.now();
  for (let i = 0; i < 2000; i++) await ask(fetch, body);
  return ((performance.now() - begun) * 1000) / 2000;
};
const [own, theirs]: [number[], number[]] = [[], []];
for (let round = 0; round < 11; round++) {
  own.push(await cost(mock.fetch));
  theirs.push(await cost(bare));
}
const ratios = own.map((value, i) => value / (theirs[i] ?? Number.NaN)).slice(2);
console.log(
  `mock.fetch ${median(own).toFixed(1)} µs, bare ${median(theirs).toFixed(1)} µs, ratio ${spread(ratios)} (target 2)`,
);
