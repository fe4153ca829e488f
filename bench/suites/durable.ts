import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Child } from '../support/channel.ts';
import { built } from '../support/places.ts';
import { headers, prepare } from '../support/requests.ts';
import { rounds, type Turn } from '../support/rounds.ts';
import { against, type Suite } from '../support/row.ts';
import { type Server, startMock } from '../support/servers.ts';

const group = 'The mock with --data: everything in SQLite before the answer leaves';

export const suite: Suite = {
  name: 'durable',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'orgchat-bench-'));
    const file = join(folder, 'data.db');
    const memory = await startMock();
    const durable = await startMock('--data', file);
    const load = new Child([join(built, 'peers/load.js')]);
    try {
      const requests = await prepare(memory.baseUrl);
      const { replay } = await prepare(durable.baseUrl);
      if (!existsSync(file)) throw new Error('--data keeps nothing yet.');
      const turn =
        (server: Server, { path, body }: { path: string; body: string }): Turn =>
        async () => {
          const job = { url: server.baseUrl + path, headers, body, seconds: 1 };
          return (await load.ask<{ rate: number }>('run', job)).rate;
        };
      const { ours, theirs, ourReplay, theirReplay } = await rounds(
        {
          ours: turn(durable, requests.create),
          theirs: turn(memory, requests.create),
          ourReplay: turn(durable, replay),
          theirReplay: turn(memory, requests.replay),
        },
        { rounds: 9 },
      );
      const peer = 'in memory';
      return [
        against({ group, what: 'create', unit: 'req/s', ours, target: { atLeast: 0.5 } }, '×', peer, theirs),
        against(
          { group, what: 'replay of a change', unit: 'req/s', ours: ourReplay },
          '×',
          peer,
          theirReplay,
        ),
      ];
    } finally {
      await Promise.all([memory, durable, load].map((child) => child.stop()));
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
