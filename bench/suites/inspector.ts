import { gzipSync } from 'node:zlib';
import { createMock, type Mock } from '@orgchat/mock-server';
import { headers } from '../support/requests.ts';
import { rounds, type Turn } from '../support/rounds.ts';
import { against, figure, type Group, type Suite } from '../support/row.ts';
import { processorMicroseconds } from '../support/timing.ts';

const group: Group = {
  title: 'The inspector',
  about:
    'Processor time of a `mock.fetch` of the account: by a mock whose page was opened and closed, and by one whose page is open, which reads the stream of events. Both are compared with a mock whose page was never opened.',
};
const never = 'a mock whose page was never opened';
const calls = 3000;

const files = ['', 'inspector.js', 'inspector.css'];

/** Loads the page as a browser does, and returns its bytes with gzip. */
async function loadPage(mock: Mock): Promise<number> {
  let bytes = 0;
  for (const file of files) {
    const response = await mock.fetch(`${mock.controlUrl}/${file}`);
    bytes += gzipSync(await response.text()).length;
  }
  return bytes;
}

/** Reads events as the page does, until the stream is closed. */
function follow(mock: Mock): () => void {
  const stream = mock.events();
  void (async () => {
    for await (const event of stream) JSON.stringify(event);
  })();
  return () => stream.close();
}

const createTurn =
  (mock: Mock): Turn =>
  () =>
    processorMicroseconds(calls, async () => {
      const response = await mock.fetch(`${mock.baseUrl}/me`, { headers });
      await response.text();
    });

export const suite: Suite = {
  name: 'inspector',
  async run() {
    const create = (): Mock => createMock({ rateLimit: 'off', monthlyLimit: 'off' });
    const [unopened, closed, open] = [create(), create(), create()];
    const bytes = await loadPage(closed);
    follow(closed)();
    await loadPage(open);
    const stop = follow(open);
    const turns = { none: createTurn(unopened), closed: createTurn(closed), open: createTurn(open) };
    const { none, closed: afterwards, open: watched } = await rounds(turns, { rounds: 25, warmUp: 2 });
    stop();
    return [
      against(
        { group, what: 'after the page was closed', unit: 'µs', ours: afterwards, target: { atMost: 1.1 } },
        '×',
        never,
        none,
      ),
      against({ group, what: 'while the page is open', unit: 'µs', ours: watched }, '×', never, none),
      figure({
        group,
        what: 'size of the page, gzip',
        unit: 'kB',
        ours: [bytes / 1000],
        target: { atMost: 60 },
      }),
    ];
  },
};
