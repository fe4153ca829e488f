import { parseArgs } from 'node:util';
import { document } from '../spec/testing/document.ts';
import { runApplies } from './applies/applies.ts';
import { soakHurt } from './hurt/soak.ts';
import { agree, withBody } from './judge/agreement.ts';
import { armJudge } from './judge/arm.ts';
import { describeRecords, describeViolation } from './judge/records.ts';
import { soakLoad } from './load/soak.ts';
import { runModel } from './model/run.ts';
import { planOf } from './simulation/plan.ts';
import { buildPrograms, type Programs } from './simulation/programs.ts';
import { simulate } from './simulation/simulate.ts';
import { soakState } from './states/soak.ts';

/*
 * The long versions of what `npm test` does briefly. Each works in rounds with a seed each, so that a failure names
 * the round to run again: `npm run soak -- model --seed 7`.
 */
interface Suite {
  readonly rounds: number;
  /** One round; what it did, by name. Throws, or says what is wrong. */
  run(seed: number): Promise<Readonly<Record<string, number>>>;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000_000)) },
    rounds: { type: 'string' },
    minutes: { type: 'string', default: '10' },
    connections: { type: 'string', default: '2000' },
  },
});

const clients = 3;
const add = (sums: Record<string, number>, what: string, count: number): void => {
  sums[what] = (sums[what] ?? 0) + count;
};
/** Built once: what is edited meanwhile plays no part. */
let programs: Programs | undefined;
const total = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((a, b) => a + b, 0);

const suites: Readonly<Record<string, Suite>> = {
  /** 200 pairs with one state directory, 200 with one each, and 20 triples of both kinds. */
  applies: {
    rounds: 20,
    async run(seed) {
      const done: Record<string, number> = {};
      for (const processes of [2, 3])
        for (const sharesState of [true, false]) {
          const rounds = processes === 2 ? 10 : 1;
          const counts = await runApplies({ seed, rounds, processes, sharesState, size: 80 });
          if (counts.problems.length > 0) throw new Error(counts.problems.join('\n'));
          const kind = `${processes} at once, ${sharesState ? 'one state directory' : 'one each'}`;
          add(done, `rounds of ${kind}`, counts.rounds);
          add(done, `doubled by ${kind}`, counts.doubled);
          add(done, `replays by ${kind}`, counts.replays);
          for (const [code, count] of Object.entries(counts.exits))
            add(done, `exits ${code} of ${kind}`, count);
        }
      return done;
    },
  },
  /** 100,000 bodies: 25,000 of each operation. */
  agreement: {
    rounds: 20,
    async run(seed) {
      const done = { bodies: 0, accepted: 0, refused: 0, excepted: 0 };
      for (const operation of withBody) {
        const { accepted, refused, excepted } = await agree(operation, 1_250, seed);
        done.bodies += accepted + refused + excepted;
        done.accepted += accepted;
        done.refused += refused;
        done.excepted += excepted;
      }
      return done;
    },
  },
  /** A little more than 100,000 commands. */
  model: {
    rounds: 20,
    async run(seed) {
      const { steps, answers } = await runModel({ runs: 100, length: 120, seed });
      return { commands: total(steps), answers: total(answers) };
    },
  },
  /** Ten minutes of 2,000 connections, with `--minutes` and `--connections`. */
  load: {
    rounds: 1,
    run: (seed) =>
      soakLoad(seed, { minutes: Number(values.minutes), connections: Number(values.connections) }),
  },
  /** A state of 100,000 friends, saved and loaded over HTTP. */
  states: { rounds: 1, run: () => soakState(100_000) },
  hurt: { rounds: 1, run: (seed) => soakHurt(seed, 10_000) },
  /** 10,500 intents. */
  simulation: {
    rounds: 25,
    async run(seed) {
      programs ??= await buildPrograms();
      // Each fifth round by clients that have everything in common: each of them pursues all of it.
      const shared = seed % 5 === 0;
      const intents = planOf({ seed, intents: shared ? 100 : 500, clients, shared });
      const { problems, outcomes, clientDeaths, serverDeaths } = await simulate(programs, intents, {
        clients,
      });
      if (problems.length > 0) throw new Error(problems.map((one) => JSON.stringify(one)).join('\n'));
      return {
        intents: intents.length,
        ...outcomes,
        'clients killed': clientDeaths,
        'servers killed': serverDeaths,
      };
    },
  },
};

const judge = await armJudge(document);
judge.judgeHere();

/** A round of a suite, and with it every answer that a mock gave meanwhile, in whatever process. */
async function round(suite: Suite, seed: number): Promise<Readonly<Record<string, number>>> {
  const before = judge.records().violations.length;
  const done = await suite.run(seed);
  const broken = judge.records().violations.slice(before);
  if (broken.length > 0) throw new Error(broken.map(describeViolation).join('\n'));
  return done;
}

const first = Number(values.seed);
for (const name of positionals.length > 0 ? positionals : Object.keys(suites)) {
  const suite = suites[name];
  if (suite === undefined)
    throw new Error(`There is no suite ${name}; take one of ${Object.keys(suites).join(', ')}.`);
  const rounds = Number(values.rounds ?? suite.rounds);
  const sums: Record<string, number> = {};
  const begun = performance.now();
  let seed = first;
  try {
    for (; seed < first + rounds; seed++) {
      for (const [what, count] of Object.entries(await round(suite, seed)))
        sums[what] = (sums[what] ?? 0) + count;
      process.stderr.write(`${name}: round ${seed - first + 1} of ${rounds}\r`);
    }
  } catch (error) {
    process.exitCode = 1;
    console.error(error);
    console.log(`${name}: FAILED in the round of seed ${seed}: npm run soak -- ${name} --seed ${seed}`);
    continue;
  }
  const said = Object.entries(sums).map(([what, count]) => `${count} ${what}`);
  const seconds = Math.round((performance.now() - begun) / 1000);
  console.log(`${name}: passed, seed ${first}: ${said.join(', ')}, in ${seconds} s`);
}
// Load and hurt judge on their own side.
if (judge.records().judged > 0) console.log(describeRecords(judge.records()));
judge.disarm();
await programs?.remove();
