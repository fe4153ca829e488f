/* The mock in a process of its own. It kills the service at an exact moment of a request. */
import { subscribe } from 'node:diagnostics_channel';
import { createMock } from '@orgchat/mock-server';
import type { MockOrder, MockReport, Moment } from './messages.ts';

const mock = createMock({ rateLimit: 'off', monthlyLimit: 'off' });
const report = (message: MockReport): void => void process.send?.(message);

let kill: { pid: number; moment: Moment; after: number } | undefined;

const reach = (moment: Moment): void => {
  if (kill?.moment !== moment || kill.after-- > 0) return;
  const { pid } = kill;
  kill = undefined;
  process.kill(pid, 'SIGKILL');
};

subscribe('http.server.request.start', () => reach('arrival'));
subscribe('orgchat.mock.answer', () => reach('applied'));
subscribe('http.server.response.finish', () => reach('answered'));

process.on('message', (order: MockOrder) => {
  if (order.kind === 'report') {
    const keywords = mock.keywords('demo-site').map(({ keyword }) => keyword);
    const dropped = mock.requests.dropped().entries;
    const requests = mock.requests.list();
    const sentKeywords = requests
      .filter(({ operation }) => operation === 'addSeoKeywords')
      .flatMap(({ id }) => {
        const { keywords: sent = [] } = Object(mock.requests.get(id).request.body) as { keywords?: string[] };
        return sent;
      });
    return report({ kind: 'report', requests, dropped, keywords, sentKeywords });
  }
  if (order.kind === 'kill') kill = { ...order };
  else if (order.kind === 'spare') kill = undefined;
  else mock.faults.arm(order.fault);
  report({ kind: 'done' });
});
process.on('disconnect', () => process.exit());
const { baseUrl } = await mock.listen({ port: 0 });
report({ kind: 'listening', baseUrl });
