import { createMock } from '@orgchat/mock-server';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { fresh, headers, kinds, prepare, type Request as Question } from '../support/requests.ts';
import { rounds } from '../support/rounds.ts';
import { against, type Group, type Row, type Suite } from '../support/row.ts';
import { processorMicroseconds as microseconds } from '../support/timing.ts';

const group: Group = {
  title: 'The mock in process: mock.fetch',
  about:
    'Processor time of a whole call without a network: create the `Request`, answer it, read the `Response`. Compared with a function that only reads the body and answers the same bytes, and with a global `fetch` that msw intercepts to do the same.',
};
const titles = { read: 'read by id', replay: 'replay of a change', create: 'create', list: 'list of 50' };
const least = 'a function that reads the body and answers';
const msw = 'fetch intercepted by msw';

type Fetch = (request: Request) => Promise<Response>;

const ask =
  (fetch: Fetch, baseUrl: string, { path, body }: Question) =>
  async (): Promise<string> => {
    const filled = body.includes(fresh) ? body.replace(fresh, crypto.randomUUID()) : body;
    const response = await fetch(new Request(baseUrl + path, { method: 'POST', headers, body: filled }));
    return response.text();
  };

/** The minimum: reads the body and answers the same bytes with the same headers. */
const reader =
  (text: string): Fetch =>
  async (request) => {
    await request.text();
    return new Response(text, {
      status: 200,
      headers: { 'Content-Type': 'application/json', 'X-Request-Id': 'req-00000001' },
    });
  };

const calls = 1000;
/** Few calls, because they are slow. */
const interceptedCalls = 100;

export const suite: Suite = {
  name: 'fetch',
  async run() {
    const mock = await createMock({ rateLimit: 'off', monthlyLimit: 'off' });
    const { baseUrl } = mock;
    const own = globalThis.fetch;
    globalThis.fetch = mock.fetch;
    const questions = await prepare(baseUrl);
    globalThis.fetch = own;
    const rows: Row[] = [];
    for (const kind of kinds) {
      const ours = ask(mock.fetch, baseUrl, questions[kind]);
      const text = await ours();
      const bare = ask(reader(text), baseUrl, questions[kind]);
      const server = setupServer(
        http.post('*/chat/*', async ({ request }) => {
          await request.text();
          return new HttpResponse(text, { headers: { 'Content-Type': 'application/json' } });
        }),
      );
      const intercepted = async (): Promise<number> => {
        server.listen();
        try {
          return await microseconds(
            interceptedCalls,
            ask((request) => fetch(request), baseUrl, questions[kind]),
          );
        } finally {
          server.close();
        }
      };
      const figures = await rounds(
        { ours: () => microseconds(calls, ours), bare: () => microseconds(calls, bare), intercepted },
        { rounds: 21, warmUp: 3 },
      );
      const row = { group, what: titles[kind], unit: 'µs', ours: figures.ours } as const;
      rows.push(against({ ...row, target: { atMost: 2 } }, '×', least, figures.bare));
      rows.push(against(row, '×', msw, figures.intercepted));
    }
    return rows;
  },
};
