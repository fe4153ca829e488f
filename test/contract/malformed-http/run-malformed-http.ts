import { combineSeeds, Random } from '../../test-support/random.ts';
import { bodies } from './bodies.ts';
import { framing } from './framing.ts';
import { HealthyClient } from './healthy-client.ts';
import type { MalformedRequest } from './malformed-request.ts';
import { lines } from './request-lines.ts';
import { sendMalformed } from './send-request.ts';

export interface MalformedHttpOptions {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly seed: number;
  readonly requests: number;
  /** Called after each request. */
  readonly onRequest?: (made: number) => Promise<void>;
}

export interface MalformedHttpResult {
  readonly kinds: ReadonlyMap<string, number>;
  readonly problems: readonly string[];
  /** How many times the healthy client checked its responses. */
  readonly verified: number;
}

const kinds = [...framing, ...lines, ...bodies];

/** The n-th request of a seed. */
export function createRequest(seed: number, n: number): MalformedRequest {
  const random = new Random(combineSeeds(seed, n));
  return random.pick(kinds)(random);
}

/** Concurrent malformed requests. */
const lanes = 16;
/** The healthy client checks a response after this number of requests. */
const verifyEvery = 20;
const enough = 10;

/** Sends malformed requests, and checks that other clients and the state are not affected. */
export async function runMalformedHttp(options: MalformedHttpOptions): Promise<MalformedHttpResult> {
  const { baseUrl, seed, requests, onRequest } = options;
  const port = Number(new URL(baseUrl).port);
  const tally = new Map<string, number>();
  const problems: string[] = [];
  const healthyClient = new HealthyClient(options);
  await healthyClient.learn();
  const before = await healthyClient.digest();
  let next = 0;
  let verified = 0;
  const lane = async (): Promise<void> => {
    for (let n = next++; n < requests && problems.length < enough; n = next++) {
      const request = createRequest(seed, n);
      tally.set(request.kind, (tally.get(request.kind) ?? 0) + 1);
      const wrong = await sendMalformed(port, request);
      const sent = JSON.stringify(request.bytes.subarray(0, 2_000).toString('latin1'));
      if (wrong !== undefined)
        problems.push(`request ${n} of seed ${seed} (${request.kind}): ${wrong}\n${sent}`);
      if (n % verifyEvery === 0) {
        const doubt = await healthyClient.verify();
        if (doubt !== undefined)
          problems.push(`after request ${n} of seed ${seed} (${request.kind}), ${doubt}`);
        verified++;
      }
      await onRequest?.(n + 1);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  if ((await healthyClient.digest()) !== before)
    problems.push(`the requests of seed ${seed} changed the state`);
  healthyClient.close();
  return { kinds: tally, problems, verified };
}
