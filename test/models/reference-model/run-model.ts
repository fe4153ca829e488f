import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { compare } from './compare-state.ts';
import type { Limits } from './model-world.ts';
import { perform } from './perform-steps.ts';
import { type Counts, countOne, readFirstRevisions, Session } from './session.ts';
import { type Steps, steps } from './steps.ts';

/** Counts of steps and answers, so that a test can check that all kinds occurred. */
export interface Tally {
  readonly steps: Counts;
  readonly answers: Counts;
}

class Step<K extends keyof Steps> implements fc.AsyncCommand<Session, Session> {
  readonly #kind: K;
  readonly #step: Steps[K];
  readonly #counts: Counts;

  constructor(kind: K, step: Steps[K], counts: Counts) {
    this.#kind = kind;
    this.#step = step;
    this.#counts = counts;
  }

  check(): boolean {
    return true;
  }

  async run(session: Session): Promise<void> {
    countOne(this.#counts, this.#kind);
    await perform[this.#kind](session, this.#step);
  }

  toString(): string {
    return `${this.#kind} ${JSON.stringify(this.#step)}`;
  }
}

const weights: Readonly<Partial<Record<keyof Steps, number>>> = { change: 8, again: 3, read: 3, faulted: 2 };

const createCommand = <K extends keyof Steps>(kind: K, counts: Counts): fc.Arbitrary<Step<K>> =>
  (steps[kind] as fc.Arbitrary<Steps[K]>).map((step) => new Step(kind, step, counts));

/** Selects each kind as often as its weight says. */
const createCommands = (counts: Counts): fc.Arbitrary<fc.AsyncCommand<Session, Session>>[] =>
  (Object.keys(steps) as (keyof Steps)[]).flatMap((kind) =>
    Array.from({ length: weights[kind] ?? 1 }, () => createCommand(kind, counts)),
  );

const limits: fc.Arbitrary<Limits> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ perMinute: undefined, monthly: undefined }) },
  { weight: 1, arbitrary: fc.constant({ perMinute: 5, monthly: undefined }) },
  { weight: 1, arbitrary: fc.constant({ perMinute: 60, monthly: 30 }) },
);

/** Changes the body of an answer. */
export type Tamper = (body: Record<string, unknown>) => unknown;

function tampered(fetch: typeof globalThis.fetch, tamper: Tamper | undefined): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const text = await response.text();
    const { status, headers } = response;
    const body = JSON.parse(text) as Record<string, unknown>;
    return new Response(JSON.stringify(tamper?.(body) || body), { status, headers });
  };
}

/** Runs sequences of commands against the server and the model. If they disagree, fails with a minimal sequence. */
export async function runModel(options: {
  readonly runs: number;
  readonly length: number;
  readonly seed?: number;
  /** Changes answers of the server: plants a bug that the comparison must find. */
  readonly tamper?: Tamper;
}): Promise<Tally> {
  const { runs, length, seed, tamper } = options;
  const tally: Tally = { steps: new Map(), answers: new Map() };
  await readFirstRevisions();
  const commands = fc.commands(createCommands(tally.steps), { maxCommands: length, size: 'max' });
  const durable = fc.oneof(
    { weight: 4, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  );
  const property = fc.asyncProperty(limits, durable, commands, async (held, isDurable, sequence) => {
    const folder = isDurable ? mkdtempSync(join(tmpdir(), 'orgchat-model-')) : undefined;
    const session = new Session(held, tally.answers, folder);
    for (const pair of tamper ? session.pairs : []) pair.fetch = tampered(pair.fetch, tamper);
    try {
      await fc.asyncModelRun(() => ({ model: session, real: session }), sequence);
      for (const pair of session.pairs) await compare(pair);
    } finally {
      session.pairs[0]?.mock.close();
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    }
  });
  // The sequence for a planted mistake does not have to be minimal.
  const ends = { endOnFailure: tamper !== undefined };
  await fc.assert(property, { numRuns: runs, ...ends, ...(seed !== undefined && { seed }) });
  return tally;
}
