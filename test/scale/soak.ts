import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  areBounded,
  decideBehindSnapshot,
  snapshotKinds,
} from '../../packages/fleet/test-support/old-snapshot.ts';
import { document } from '../../spec/test-support/document.ts';
import { compareBodies, operationsWithBody } from '../contract/answer-check/body-agreement.ts';
import { describeRecords, describeViolation } from '../contract/answer-check/records.ts';
import { startAnswerCheck } from '../contract/answer-check/start-answer-check.ts';
import { soakMalformedHttp } from '../contract/malformed-http/soak.ts';
import { runConcurrentApplies } from '../models/concurrent-apply/run-applies.ts';
import { killSyncs } from '../models/killed-syncs/kill-syncs.ts';
import { runModel } from '../models/reference-model/run-model.ts';
import { soakContractCheck, soakServerFamily } from '../models/server-family/soak.ts';
import { createPlan } from '../models/simulation/plan.ts';
import { simulate } from '../models/simulation/simulate.ts';
import { soakDrill } from '../services/drill/soak.ts';
import { fromSources } from '../test-support/from-sources.ts';
import { plantedBugs } from './fleet/plan.ts';
import { soakFleet } from './fleet/soak-fleet.ts';
import { soakLargeState } from './large-state/soak.ts';
import { soakLoad } from './load/soak.ts';

/*
 * The long versions of what `npm test` does briefly. Each round has its own seed, so a failure names the round to
 * repeat: `npm run soak -- model --seed 7`.
 */
interface Suite {
  readonly rounds: number;
  /** Runs one round. Returns counts by name; throws on a problem. */
  run(seed: number): Promise<Readonly<Record<string, number>>>;
}

const { values, positionals, tokens } = parseArgs({
  allowPositionals: true,
  tokens: true,
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000_000)) },
    rounds: { type: 'string' },
    minutes: { type: 'string', default: '10' },
    connections: { type: 'string', default: '2000' },
    intents: { type: 'string', default: '10000' },
    'per-minute': { type: 'string', default: '1000' },
    plant: { type: 'string' },
  },
});

if (values.plant !== undefined && !plantedBugs.some((bug) => bug === values.plant))
  throw new Error(`Unknown bug "${values.plant}". Bugs: ${plantedBugs.join(', ')}.`);

const clients = 3;
const pageProgram = fileURLToPath(new URL('../models/server-family/write-page.ts', import.meta.url));
const add = (sums: Record<string, number>, what: string, count: number): void => {
  sums[what] = (sums[what] ?? 0) + count;
};
const total = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((a, b) => a + b, 0);

const suites: Readonly<Record<string, Suite>> = {
  /** 200 pairs with one state directory, 200 with separate ones, and 20 triples of both kinds. */
  'concurrent-apply': {
    rounds: 20,
    async run(seed) {
      const done: Record<string, number> = {};
      for (const processes of [2, 3])
        for (const sharesState of [true, false]) {
          const rounds = processes === 2 ? 10 : 1;
          const counts = await runConcurrentApplies({ seed, rounds, processes, sharesState, size: 80 });
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
  /** 30 syncs that are killed with kill -9, each beside another one of the same rows. */
  'killed-syncs': {
    rounds: 3,
    async run(seed) {
      const { kills, amidChanges, ...problems } = await killSyncs(seed, 10);
      if (Object.values(problems).some((count) => count > 0)) throw new Error(JSON.stringify(problems));
      return { kills, 'kills amid changes': amidChanges, ...problems };
    },
  },
  /** 100,000 bodies: 25,000 of each operation. */
  'body-agreement': {
    rounds: 20,
    async run(seed) {
      const done = { bodies: 0, accepted: 0, refused: 0, excepted: 0 };
      for (const operation of operationsWithBody) {
        const { accepted, refused, excepted } = await compareBodies(operation, 1_250, seed);
        done.bodies += accepted + refused + excepted;
        done.accepted += accepted;
        done.refused += refused;
        done.excepted += excepted;
      }
      return done;
    },
  },
  /** Every client of the drill's tests, with every fault. */
  drill: { rounds: 1, run: soakDrill },
  /** A little more than 100,000 commands. */
  model: {
    rounds: 20,
    async run(seed) {
      const { steps, answers } = await runModel({ runs: 100, length: 120, seed });
      return { commands: total(steps), answers: total(answers) };
    },
  },
  /** 100,000 decisions of the pacing behind an old snapshot, 50,000 of each kind. */
  pacing: {
    rounds: 1,
    async run() {
      const done: Record<string, number> = {};
      for (const kind of snapshotKinds) {
        const found = await decideBehindSnapshot({
          ...{ decisions: 50_000, callers: 40, kind, comparesFirst: true },
        });
        if (!areBounded(found)) throw new Error(`places that are ${kind}: ${JSON.stringify(found)}`);
        add(done, 'decisions', found.decisions);
        add(done, 'failures', found.failures);
        add(done, `pages of a decision at most, ${kind}`, found.pages);
        add(done, `percent of the pages of the first ones, ${kind}`, Math.round((found.ratio ?? 0) * 100));
      }
      return done;
    },
  },
  /** Ten minutes of 2,000 connections, with `--minutes` and `--connections`. */
  load: {
    rounds: 1,
    run: (seed) =>
      soakLoad(seed, { minutes: Number(values.minutes), connections: Number(values.connections) }),
  },
  /** A state of 100,000 friends, saved and loaded over HTTP. */
  'large-state': { rounds: 1, run: () => soakLargeState(100_000) },
  'malformed-http': { rounds: 1, run: (seed) => soakMalformedHttp(seed, 10_000) },
  /**
   * 10,000 intents of eight workers for four organizations, two in each engine, with `--intents`. Time is short, so each key has
   * a limit of 1,000 requests per minute instead of 60, with `--per-minute`; the minute is a real one. `--plant` shows that a
   * bug is found.
   */
  fleet: {
    rounds: 1,
    run: (seed) =>
      soakFleet({
        ...{
          seed,
          workers: 8,
          intents: Number(values.intents),
          perWindow: Number(values['per-minute']),
        },
        bugs: plantedBugs.filter((bug) => bug === values.plant),
        onProgress: (text) => process.stderr.write(`fleet: ${text}\n`),
      }),
  },
  /** Every use of SDK and command on the servers of docs/servers.md, compared with the page. */
  'servers-page': {
    rounds: 1,
    async run() {
      execFileSync(process.execPath, [...fromSources, pageProgram, '--check'], { stdio: 'inherit' });
      return { pages: 1 };
    },
  },
  /**
   * 200 servers that are not the mock, and mocks with the files that a check learned of 80 of them: every use of SDK and
   * command, without and with a description.
   */
  'server-family': { rounds: 20, run: (seed) => soakServerFamily(seed, 10) },
  /** `contract check` on 200 of these servers; the suite `server-family` has it, too. */
  'contract-check': { rounds: 20, run: (seed) => soakContractCheck(seed, 10) },
  /** 10,500 intents. */
  simulation: {
    rounds: 25,
    async run(seed) {
      // In every fifth round, all clients share one key and journal, and each works on all intents.
      const shared = seed % 5 === 0;
      const intents = createPlan({ seed, intents: shared ? 100 : 500, clients, shared });
      const { problems, outcomes, clientDeaths, serverDeaths } = await simulate(intents, {
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

const check = await startAnswerCheck(document);
check.checkThisProcess();

/** Runs a round of a suite and checks every mock answer in it. */
async function round(suite: Suite, seed: number): Promise<Readonly<Record<string, number>>> {
  const before = check.records().violations.length;
  const done = await suite.run(seed);
  const broken = check.records().violations.slice(before);
  if (broken.length > 0) throw new Error(broken.map(describeViolation).join('\n'));
  return done;
}

/** The arguments that repeat one round of a suite. */
const repeated = (name: string, seed: number): string =>
  [
    name,
    ...tokens.flatMap((token) =>
      token.kind === 'option' && token.name !== 'seed' && token.name !== 'rounds'
        ? [`--${token.name} ${token.value}`]
        : [],
    ),
    `--seed ${seed} --rounds 1`,
  ].join(' ');

const first = Number(values.seed);
for (const name of positionals.length > 0 ? positionals : Object.keys(suites)) {
  const suite = suites[name];
  if (suite === undefined)
    throw new Error(`Unknown suite "${name}". Suites: ${Object.keys(suites).join(', ')}.`);
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
    console.log(`${name}: FAILED with seed ${seed}. Repeat it: npm run soak -- ${repeated(name, seed)}`);
    continue;
  }
  const said = Object.entries(sums).map(([what, count]) => `${count} ${what}`);
  const seconds = Math.round((performance.now() - begun) / 1000);
  console.log(`${name}: passed, seed ${first}: ${said.join(', ')}, in ${seconds} s`);
}
// The suites load and malformed-http check answers in the client.
if (check.records().checked > 0) console.log(describeRecords(check.records()));
check.stop();
