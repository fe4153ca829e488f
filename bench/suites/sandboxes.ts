import { createMock } from '@orgchat/mock-server';
import { heldMegabytes } from '../support/heap.ts';
import { headers } from '../support/requests.ts';
import { rounds, type Turn } from '../support/rounds.ts';
import { figure, type Group, type Suite } from '../support/row.ts';
import { microseconds } from '../support/timing.ts';

const group: Group = {
  title: 'Sandboxes: one per test',
  about:
    'Cost of `mock.sandbox()`: a copy of the demo organization with its own clock, limits, faults and request log. Memory is the heap after a full garbage collection.',
};
const count = 1000;

export const suite: Suite = {
  name: 'sandboxes',
  async run() {
    const mock = await createMock();
    const fork: Turn = () => microseconds(2000, () => mock.sandbox().drop());
    const { forks } = await rounds({ forks: fork }, { rounds: 25, warmUp: 2 });

    const before = await heldMegabytes();
    const sandboxes = Array.from({ length: count }, () => mock.sandbox());
    const asMade = (await heldMegabytes()) - before;
    for (const sandbox of sandboxes) {
      const change = { action: 'create-tags', data: { name: 'Own', color: 'pink' } };
      const body = JSON.stringify({ operationId: crypto.randomUUID(), change });
      const url = `${sandbox.baseUrl}/chat/changes`;
      const response = await sandbox.fetch(url, { method: 'POST', headers, body });
      if (!response.ok) throw new Error(await response.text());
    }
    const inUse = (await heldMegabytes()) - before;
    return [
      figure({ group, what: 'created and dropped', unit: 'µs', ours: forks, target: { atMost: 1000 } }),
      figure({ group, what: '1,000 at once', unit: 'MB', ours: [asMade], target: { atMost: 200 } }),
      figure({
        group,
        what: '1,000 at once, each with one change',
        unit: 'MB',
        ours: [inUse],
        target: { atMost: 200 },
      }),
    ];
  },
};
