import { createClient } from '@orgchat/sdk';
import { heldMegabytes } from '../support/heap.ts';
import { rounds } from '../support/rounds.ts';
import { against, figure, type Group, type Row, type Suite } from '../support/row.ts';

const group: Group = {
  title: 'The SDK: 1,000 concurrent calls',
  about:
    'Reads that are all started at once, with a `fetch` that answers after 5 ms, compared with bare `fetch`. The suite fails if a call gets the answer to another request, or if requests leave out of order.',
};
const settings = { apiKey: 'bench-key', baseUrl: 'http://127.0.0.1:9/api/v1', pacing: false } as const;
const count = 1000;

/** Answers every request after a short delay with its offset. Records the order of requests. */
function echo(): { arrived: number[]; fetch: (request: Request) => Promise<Response> } {
  const arrived: number[] = [];
  return {
    arrived,
    async fetch(request) {
      const { offset } = (await request.json()) as { offset: number };
      arrived.push(offset);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return Response.json({ records: [], total: offset, limited: false });
    },
  };
}

/** Milliseconds of all calls at once. Each must get its own answer, and requests must leave in order. */
async function wave(ask: (offset: number) => Promise<number>, arrived: number[]): Promise<number> {
  arrived.length = 0;
  const begun = performance.now();
  const offsets = Array.from({ length: count }, (_, offset) => offset);
  const totals = await Promise.all(offsets.map(ask));
  const ms = performance.now() - begun;
  if (totals.some((total, i) => total !== i)) throw new Error('A call got the answer to another request.');
  if (arrived.some((offset, i) => offset !== i)) throw new Error('Requests left out of order.');
  return ms;
}

export const suite: Suite = {
  name: 'concurrency',
  async run() {
    const server = echo();
    const client = createClient({ ...settings, fetch: server.fetch });
    const viaSdk = async (offset: number): Promise<number> =>
      (await client.readChat({ resource: 'tags', offset })).total ?? 0;
    const viaFetch = async (offset: number): Promise<number> => {
      const body = JSON.stringify({ resource: 'tags', offset });
      const request = new Request(`${settings.baseUrl}/chat/read`, { method: 'POST', body });
      return ((await (await server.fetch(request)).json()) as { total: number }).total;
    };
    const { ours, theirs } = await rounds(
      { ours: () => wave(viaSdk, server.arrived), theirs: () => wave(viaFetch, server.arrived) },
      { rounds: 15, warmUp: 2 },
    );
    const rows: Row[] = [];
    const what = '1,000 calls at once';
    rows.push(against({ group, what, unit: 'ms', ours }, '×', 'bare fetch', theirs));
    const waves = async (many: number): Promise<number> => {
      for (let i = 0; i < many; i++) await wave(viaSdk, server.arrived);
      return heldMegabytes();
    };
    // The first rounds compile code and fill caches. Growth after that is a leak.
    const before = await waves(20);
    const held = [(await waves(20)) - before];
    const grown = 'memory growth after 20,000 more calls';
    rows.push(figure({ group, what: grown, unit: 'MB', ours: held, target: { atMost: 1 } }));
    return rows;
  },
};
