import type { Json } from '../model/resources.ts';
import { addKeywords, change } from './changes.ts';
import type { Answer, Connection } from './connection.ts';
import { undeclaredIn } from './judge.ts';
import { mistake } from './mistakes.ts';
import { read } from './reads.ts';
import type { Memory, Step } from './step.ts';
import { undeclaredStatus } from './storm.ts';

/**
 * What interferes with the requests of a world: nothing, so that each answer is known beforehand; faults; or its
 * tester, who resets it and takes keys away while requests are under way.
 */
export type Mood = 'calm' | 'stormy' | 'shifting';

/** What came of the requests of a visit. */
export interface Tally {
  /** By the kind of request. */
  readonly kinds: Map<string, number>;
  /** By status; 0 for answers that broke. */
  readonly statuses: Map<number, number>;
  sent: number;
  /** operationIds whose change was answered as applied. */
  readonly applied: Set<string>;
}

export const newTally = (): Tally => ({ kinds: new Map(), statuses: new Map(), sent: 0, applied: new Set() });

export const count = <K>(counts: Map<K, number>, what: K): void => {
  counts.set(what, (counts.get(what) ?? 0) + 1);
};

export function stepOf(memory: Memory): Step {
  const { draw } = memory;
  const share = draw.below(100);
  if (share < 50) return read(memory);
  if (share < 80) return change(memory);
  return share < 85 ? addKeywords(memory) : mistake(memory);
}

/** Attempts at a change whose outcome is not known. */
const attempts = 6;

/** Takes a step and says what is wrong with its answer. Throws where the document does not allow it. */
export async function take(
  step: Step,
  to: {
    readonly connection: Connection;
    readonly baseUrl: string;
    readonly mood: Mood;
    readonly tally: Tally;
  },
): Promise<string | undefined> {
  const { connection, baseUrl, mood, tally } = to;
  for (let attempt = 1; ; attempt++) {
    count(tally.kinds, step.kind);
    tally.sent++;
    const answer = await connection.send(baseUrl, step.request);
    count(tally.statuses, answer?.status ?? 0);
    if (answer === undefined && mood !== 'stormy') return 'the connection broke';
    const verdict = answer === undefined ? 'lost' : judged(step, answer, mood);
    const ambiguous = answer === undefined || /^(500|502|429|409 OPERATION_UNCERTAIN)/.test(verdict);
    if (mood === 'stormy' && step.operationId !== undefined && ambiguous && attempt < attempts) continue;
    if (mood === 'calm' && !step.expected.includes(verdict))
      return `it is ${verdict}, not ${step.expected.join(' or ')}`;
    if (answer === undefined || answer.status >= 300) {
      step.forget?.();
      return undefined;
    }
    if (step.operationId !== undefined) tally.applied.add(step.operationId);
    const wrong = step.learn?.(JSON.parse(answer.text) as Json, attempt === 1);
    return mood === 'calm' ? wrong : undefined;
  }
}

/** The status of an answer, with the code of an error; first of all the document must allow it. */
function judged({ request }: Step, answer: Answer, mood: Mood): string {
  const { status, text } = answer;
  const problem =
    mood === 'stormy' && status === undeclaredStatus ? undefined : undeclaredIn(request, answer);
  if (problem !== undefined) throw new Error(`undeclared: ${problem}\n${status} ${text.slice(0, 2_000)}`);
  if (status < 300) return String(status);
  const { error } = JSON.parse(text) as Json;
  return `${status} ${String(error)}`;
}
