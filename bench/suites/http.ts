import { LoadProcess } from '../support/load-process.ts';
import { type Kind, kinds, prepare, type Request, send } from '../support/requests.ts';
import { roundsOfSeveral } from '../support/rounds.ts';
import { against, type Group, type Row, type Suite, type Target } from '../support/row.ts';
import { type PeerName, peers, type Server, startMock } from '../support/servers.ts';

const bare = 'bare node:http';
const prism = 'Prism mock';

const group: Group = {
  title: 'The mock over HTTP, 20 connections',
  about:
    'Answers per second. `orgchat mock start` does everything of the contract: key, validation, revision, request log. The other servers parse the same body and return the same bytes, which they were given before, with an `X-Request-Id` of the same length (Mockoon, Prism and json-server send none). Prism answers from the examples of the document, json-server from its own records. Processor time is that of the server process per request, which a slow load cannot hide.',
};

const titles: Readonly<Record<Kind, string>> = {
  read: 'read by id',
  replay: 'replay of a change',
  create: 'create',
  list: 'list of 50',
};

/** Minimum rates, relative to bare node:http. Relative to Prism it is ten times. */
const leastOfBare: Readonly<Record<Kind, number>> = { read: 0.8, replay: 0.7, create: 0.55, list: 0.5 };

const spentOn: Partial<Record<Kind, string>> = {
  create:
    'About half of its time is that of bare node:http. An eighth is garbage collection: every change leaves a record, an operation and an entry of the request log, and bare node:http leaves nothing.',
};

async function measure(
  servers: ReadonlyMap<string, Server>,
  request: Request,
  load: LoadProcess,
  warmUp: number,
) {
  const turns = [...servers].map(([name, server]) => [
    name,
    async () => {
      const before = await server.cpu();
      const { requests, rate, cost } = await load.on(server.baseUrl, request, 0.5);
      return { rate, cost: ((await server.cpu()) - before) / requests, loadCost: cost };
    },
  ]);
  type Figure = 'rate' | 'cost' | 'loadCost';
  return roundsOfSeveral<string, Figure>(Object.fromEntries(turns), { rounds: 7, warmUp });
}

function targetOf(peer: string, kind: Kind): { target?: Target; spentOn?: string } {
  const reason = spentOn[kind];
  if (peer === bare) {
    return { target: { atLeast: leastOfBare[kind] }, ...(reason === undefined ? {} : { spentOn: reason }) };
  }
  return peer === prism ? { target: { atLeast: 10 } } : {};
}

/** Two servers have their own answers. The answers of the others must be those of the mock. */
const answersItself = (name: string): boolean => [prism, 'json-server', 'mock'].includes(name);

async function agree(name: string, server: Server, request: Request, answer: string): Promise<void> {
  if (!answersItself(name)) await server.answer(answer);
  const given = await send(server.baseUrl, request).catch((error: Error) => {
    throw new Error(`${name}: ${error.message}`);
  });
  if (!answersItself(name) && given !== answer) throw new Error(`${name} gives a different answer: ${given}`);
}

/** The mock over HTTP and other servers, all with the same requests: 20 connections, POST JSON. */
export const suite: Suite = {
  name: 'http',
  async run() {
    const mock = await startMock();
    const requests = await prepare(mock.baseUrl);
    const servers = new Map<string, Server>([['mock', mock]]);
    for (const name of Object.keys(peers) as PeerName[]) servers.set(name, await peers[name]());
    const load = new LoadProcess();
    const rows: Row[] = [];
    const loadCosts: number[] = [];
    const bareCosts: number[] = [];
    for (const kind of kinds) {
      const answer = await send(mock.baseUrl, requests[kind]);
      for (const [name, server] of servers) await agree(name, server, requests[kind], answer);
      // Before the first kind, all servers are cold. Before each other kind, all are warm.
      const figures = await measure(servers, requests[kind], load, kind === kinds[0] ? 3 : 1);
      const of = (name: string) => figures[name] ?? { rate: [], cost: [], loadCost: [] };
      const what = titles[kind];
      for (const peer of Object.keys(peers)) {
        const row = { group, what, unit: 'req/s', ours: of('mock').rate, ...targetOf(peer, kind) } as const;
        rows.push(against(row, '×', peer, of(peer).rate));
      }
      const cost = { group, what: `${what}: processor time`, unit: 'µs', ours: of('mock').cost } as const;
      rows.push(against(cost, '×', bare, of(bare).cost));
      loadCosts.push(...of(bare).loadCost);
      bareCosts.push(...of(bare).cost);
    }
    // If the load cost as much as the fastest server, the bench would measure the load.
    const own = { group, what: 'the load generator itself: processor time', unit: 'µs' } as const;
    rows.push(against({ ...own, ours: loadCosts }, '×', bare, bareCosts));
    await Promise.all([...servers.values(), load].map((server) => server.stop()));
    return rows;
  },
};
