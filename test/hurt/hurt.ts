import { Draw, seedOf } from '../support/chance.ts';
import type { Attack } from './attack.ts';
import { bodies } from './bodies.ts';
import { framing } from './framing.ts';
import { lines } from './lines.ts';
import { strike } from './strike.ts';
import { Witness } from './witness.ts';

export interface HurtOptions {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly seed: number;
  readonly attacks: number;
  /** Told of each attack that is over. */
  readonly onAttack?: (made: number) => Promise<void>;
}

export interface Hurt {
  readonly kinds: ReadonlyMap<string, number>;
  readonly problems: readonly string[];
  /** How often the witness was answered as before. */
  readonly verified: number;
}

const kinds = [...framing, ...lines, ...bodies];

/** The n-th attack of a seed. */
export function attackOf(seed: number, n: number): Attack {
  const draw = new Draw(seedOf(seed, n));
  return draw.of(kinds)(draw);
}

/** Attacks at a time. */
const lanes = 16;
/** So often the witness is asked. */
const witnessed = 20;
const enough = 10;

/** Attacks a server from all sides, and holds it to what it answers others and to its state. */
export async function hurt(options: HurtOptions): Promise<Hurt> {
  const { baseUrl, seed, attacks, onAttack } = options;
  const port = Number(new URL(baseUrl).port);
  const tally = new Map<string, number>();
  const problems: string[] = [];
  const witness = new Witness(options);
  await witness.learn();
  const before = await witness.digest();
  let next = 0;
  let verified = 0;
  const lane = async (): Promise<void> => {
    for (let n = next++; n < attacks && problems.length < enough; n = next++) {
      const attack = attackOf(seed, n);
      tally.set(attack.kind, (tally.get(attack.kind) ?? 0) + 1);
      const wrong = await strike(port, attack);
      const sent = JSON.stringify(attack.bytes.subarray(0, 2_000).toString('latin1'));
      if (wrong !== undefined)
        problems.push(`attack ${n} of seed ${seed} (${attack.kind}): ${wrong}\n${sent}`);
      if (n % witnessed === 0) {
        const doubt = await witness.verify();
        if (doubt !== undefined)
          problems.push(`after attack ${n} of seed ${seed} (${attack.kind}), ${doubt}`);
        verified++;
      }
      await onAttack?.(n + 1);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  if ((await witness.digest()) !== before) problems.push(`the attacks of seed ${seed} changed the state`);
  witness.close();
  return { kinds: tally, problems, verified };
}
