import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LoadProcess } from '../support/load-process.ts';
import { prepare, type Request } from '../support/requests.ts';
import { rounds, type Turn } from '../support/rounds.ts';
import { against, type Group, type Suite } from '../support/row.ts';
import { type Server, startMock } from '../support/servers.ts';

const group: Group = {
  title: 'The mock with --data, 20 connections',
  about:
    'Answers per second with a SQLite file that each change is written to before it is answered, compared with the same mock in memory.',
};

export const suite: Suite = {
  name: 'durable',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'orgchat-bench-'));
    const file = join(folder, 'data.db');
    const memory = await startMock();
    const durable = await startMock('--data', file);
    const load = new LoadProcess();
    try {
      const requests = await prepare(memory.baseUrl);
      const { replay } = await prepare(durable.baseUrl);
      if (!existsSync(file)) throw new Error('The mock did not create the data file.');
      const turn =
        (server: Server, request: Request): Turn =>
        async () =>
          (await load.on(server.baseUrl, request, 0.75)).rate;
      const { ours, theirs, ourReplay, theirReplay } = await rounds(
        {
          ours: turn(durable, requests.create),
          theirs: turn(memory, requests.create),
          ourReplay: turn(durable, replay),
          theirReplay: turn(memory, requests.replay),
        },
        { rounds: 7 },
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
