import type { Json } from '../../models/reference-model/resources.ts';
import type { ClientState, Step } from './client-step.ts';
import type { Answer, Connection } from './connection.ts';
import { contractProblem } from './contract-problem.ts';
import { invalidRequest } from './invalid-requests.ts';
import { addKeywords, change } from './random-changes.ts';
import { undeclaredStatus } from './random-faults.ts';
import { read } from './random-reads.ts';

/**
 * What interferes with the requests of a world: nothing, so that each answer is known in advance; faults; or
 * control API calls that reset the world or revoke keys while requests are in progress.
 */
export type Interference = 'none' | 'faults' | 'control-calls';

/** Results of the requests of one client. */
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

export function nextStep(state: ClientState): Step {
  const { random } = state;
  const share = random.below(100);
  if (share < 50) return read(state);
  if (share < 80) return change(state);
  return share < 85 ? addKeywords(state) : invalidRequest(state);
}

/** Attempts at a change whose outcome is not known. */
const attempts = 6;

/** Sends a request. Returns what is wrong with the answer; throws if it violates the OpenAPI document. */
export async function sendStep(
  step: Step,
  to: {
    readonly connection: Connection;
    readonly baseUrl: string;
    readonly interference: Interference;
    readonly tally: Tally;
  },
): Promise<string | undefined> {
  const { connection, baseUrl, interference, tally } = to;
  for (let attempt = 1; ; attempt++) {
    count(tally.kinds, step.kind);
    tally.sent++;
    const answer = await connection.send(baseUrl, step.request);
    count(tally.statuses, answer?.status ?? 0);
    if (answer === undefined && interference !== 'faults') return 'the connection broke';
    const verdict = answer === undefined ? 'lost' : judged(step, answer, interference);
    const ambiguous = answer === undefined || /^(500|502|429|409 OPERATION_UNCERTAIN)/.test(verdict);
    if (interference === 'faults' && step.operationId !== undefined && ambiguous && attempt < attempts)
      continue;
    if (interference === 'none' && !step.expected.includes(verdict))
      return `it is ${verdict}, not ${step.expected.join(' or ')}`;
    if (answer === undefined || answer.status >= 300) {
      step.forget?.();
      return undefined;
    }
    if (step.operationId !== undefined) tally.applied.add(step.operationId);
    const wrong = step.learn?.(JSON.parse(answer.text) as Json, attempt === 1);
    return interference === 'none' ? wrong : undefined;
  }
}

/** The status of an answer and its error code. Throws if the answer violates the OpenAPI document. */
function judged({ request }: Step, answer: Answer, interference: Interference): string {
  const { status, text } = answer;
  const problem =
    interference === 'faults' && status === undeclaredStatus ? undefined : contractProblem(request, answer);
  if (problem !== undefined) throw new Error(`undeclared: ${problem}\n${status} ${text.slice(0, 2_000)}`);
  if (status < 300) return String(status);
  const { error } = JSON.parse(text) as Json;
  return `${status} ${String(error)}`;
}
