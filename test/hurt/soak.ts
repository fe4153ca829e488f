import { isFlat } from '../load/flat.ts';
import { type Memory, Server } from '../load/server.ts';
import { hurt } from './hurt.ts';
import { Siege } from './siege.ts';

/** Clients of each sort that besiege the server meanwhile. */
const besiegers = 50;
/** How often memory is looked at in the whole time. */
const samples = 50;
const megabyte = 1024 * 1024;

/** Attacks on `orgchat mock start` in a process of its own. What it did, by name; throws what is wrong. */
export async function soakHurt(seed: number, attacks: number): Promise<Record<string, number>> {
  const server = await Server.start('--rate-limit', 'off', '--monthly-limit', 'off', '--quiet');
  const { baseUrl, controlUrl } = server;
  const siege = new Siege(Number(new URL(baseUrl).port), besiegers);
  try {
    const taken: Memory[] = [];
    const apart = Math.max(1, Math.floor(attacks / samples));
    const onAttack = async (made: number): Promise<void> => {
      if (made % apart !== 0) return;
      taken.push(await server.memory());
      process.stderr.write(`hurt: ${made} of ${attacks} \r`);
    };
    const { kinds, problems, verified } = await hurt({ baseUrl, controlUrl, seed, attacks, onAttack });
    // Until the besiegers are all there, it is warming up.
    const warm = taken.slice(Math.floor(taken.length / 5));
    const inMegabytes = ({ heapUsed, rss }: Memory): number[] =>
      [heapUsed, rss].map((n) => Math.round(n / megabyte));
    const wrong = [...problems, ...(await siege.end())];
    if (!isFlat(warm))
      wrong.push(`memory grew: ${taken.map((one) => inMegabytes(one).join('/')).join(', ')} MB`);
    const { code } = await server.stop();
    if (code !== 0) wrong.push(`it ended with ${code} upon SIGTERM`);
    if (server.said !== '') wrong.push(`the server wrote:\n${server.said}`);
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
    return {
      attacks,
      'kinds of them': kinds.size,
      besiegers: siege.clients,
      'questions of a witness answered': verified,
      'MB of heap at most': Math.max(...warm.map((one) => inMegabytes(one)[0] ?? 0)),
      'MB in the end': inMegabytes(warm.at(-1) ?? { heapUsed: 0, rss: 0 })[0] ?? 0,
    };
  } finally {
    siege.leave();
    server.kill();
  }
}
