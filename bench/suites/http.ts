import { join } from 'node:path';
import { Child } from '../support/channel.ts';
import { built } from '../support/places.ts';
import { headers, type Kind, kinds, prepare, type Request, send } from '../support/requests.ts';
import { rounds, type Turn } from '../support/rounds.ts';
import { against, type Row, type Suite, type Target } from '../support/row.ts';
import { type PeerName, peers, type Server, startMock } from '../support/servers.ts';

const bare = 'bare node:http';
const prism = 'Prism mock';

const titles: Readonly<Record<Kind, string>> = {
  read: 'read by id',
  replay: 'replay of a change',
  create: 'create',
  list: 'list of 50',
};

/** Of the rate of bare node:http; of Prism's it is ten times. */
const leastOfBare: Readonly<Record<Kind, number>> = { read: 0.8, replay: 0.7, create: 0.55, list: 0.5 };

interface Run {
  readonly requests: number;
  readonly rate: number;
}

async function measure(servers: ReadonlyMap<string, Server>, request: Request, load: Child) {
  const cpu = new Map<string, number[]>();
  const turns: Record<string, Turn> = {};
  for (const [name, server] of servers) {
    cpu.set(name, []);
    turns[name] = async () => {
      const { path, body } = request;
      const before = await server.cpu();
      const job = { url: server.baseUrl + path, headers, body, seconds: 1 };
      const { requests, rate } = await load.ask<Run>('run', job);
      cpu.get(name)?.push(((await server.cpu()) - before) / requests);
      return rate;
    };
  }
  const warmUp = 1;
  const rates = await rounds(turns, { rounds: 7, warmUp });
  return { rates, costs: (name: string) => cpu.get(name)?.slice(warmUp) ?? [] };
}

function targetOf(peer: string, kind: Kind): { target?: Target } {
  if (peer === bare) return { target: { atLeast: leastOfBare[kind] } };
  return peer === prism ? { target: { atLeast: 10 } } : {};
}

/** Two have answers of their own; the others give the mock's, and are seen to. */
const answersItself = (name: string): boolean => [prism, 'json-server', 'mock'].includes(name);

async function agree(name: string, server: Server, request: Request, answer: string): Promise<void> {
  if (!answersItself(name)) await server.answer(answer);
  const given = await send(server.baseUrl, request).catch((error: Error) => {
    throw new Error(`${name}: ${error.message}`);
  });
  if (!answersItself(name) && given !== answer) throw new Error(`${name} answers otherwise: ${given}`);
}

/** The mock over HTTP beside other servers, each doing the same request: 20 connections, POST JSON. */
export const suite: Suite = {
  name: 'http',
  async run() {
    const mock = await startMock();
    const requests = await prepare(mock.baseUrl);
    const servers = new Map<string, Server>([['mock', mock]]);
    for (const name of Object.keys(peers) as PeerName[]) servers.set(name, await peers[name]());
    const load = new Child([join(built, 'peers/load.js')]);
    const rows: Row[] = [];
    for (const kind of kinds) {
      const answer = await send(mock.baseUrl, requests[kind]);
      for (const [name, server] of servers) await agree(name, server, requests[kind], answer);
      const { rates, costs } = await measure(servers, requests[kind], load);
      const ours = rates.mock ?? [];
      const group = 'The mock over HTTP, 20 connections';
      for (const peer of Object.keys(peers)) {
        const row = { group, what: titles[kind], unit: 'req/s', ours, ...targetOf(peer, kind) } as const;
        rows.push(against(row, '×', peer, rates[peer] ?? []));
      }
      const what = `${titles[kind]}: processor time of the server`;
      rows.push(against({ group, what, unit: 'µs', ours: costs('mock') }, '×', bare, costs(bare)));
    }
    await Promise.all([...servers.values(), load].map((server) => server.stop()));
    return rows;
  },
};
