import { isStable } from '../../scale/load/memory-growth.ts';
import { type MemoryUsage, MockProcess } from '../../scale/load/mock-process.ts';
import { runMalformedHttp } from './run-malformed-http.ts';
import { SlowClients } from './slow-clients.ts';

/** Slow clients of each behavior. */
const clientsPerBehavior = 50;
/** Number of memory samples. */
const samples = 50;
const megabyte = 1024 * 1024;

/** Sends malformed requests to `orgchat mock start` in its own process. Returns counts by name; throws on a problem. */
export async function soakMalformedHttp(seed: number, requests: number): Promise<Record<string, number>> {
  const server = await MockProcess.start('--rate-limit', 'off', '--monthly-limit', 'off', '--quiet');
  const { baseUrl, controlUrl } = server;
  const slowClients = new SlowClients(Number(new URL(baseUrl).port), clientsPerBehavior);
  try {
    const taken: MemoryUsage[] = [];
    const apart = Math.max(1, Math.floor(requests / samples));
    const onRequest = async (made: number): Promise<void> => {
      if (made % apart !== 0) return;
      taken.push(await server.memory());
      process.stderr.write(`malformed-http: ${made} of ${requests} \r`);
    };
    const { kinds, problems, verified } = await runMalformedHttp({
      baseUrl,
      controlUrl,
      seed,
      requests,
      onRequest,
    });
    // The first samples are warm-up: the slow clients are still connecting.
    const warm = taken.slice(Math.floor(taken.length / 5));
    const inMegabytes = ({ heapUsed, rss }: MemoryUsage): number[] =>
      [heapUsed, rss].map((n) => Math.round(n / megabyte));
    const wrong = [...problems, ...(await slowClients.end())];
    if (!isStable(warm))
      wrong.push(`memory grew: ${taken.map((one) => inMegabytes(one).join('/')).join(', ')} MB`);
    const { code } = await server.stop();
    if (code !== 0) wrong.push(`it exited with ${code} after SIGTERM`);
    if (server.stderr !== '') wrong.push(`the server wrote:\n${server.stderr}`);
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
    return {
      requests,
      'kinds of them': kinds.size,
      'slow clients': slowClients.clients,
      'checks of a healthy client': verified,
      'MB of heap at most': Math.max(...warm.map((one) => inMegabytes(one)[0] ?? 0)),
      'MB in the end': inMegabytes(warm.at(-1) ?? { heapUsed: 0, rss: 0 })[0] ?? 0,
    };
  } finally {
    slowClients.leave();
    server.kill();
  }
}
