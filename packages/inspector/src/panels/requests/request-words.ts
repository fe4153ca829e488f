import type { Tone } from '../../components/panel.tsx';
import type { RequestEntry } from '../../control-api/types.ts';

/** What a request asks for, in a few words: `create-tags`, `readChat friends`, or its path. A control call names what it changed. */
export function describeRequest({ operation, action, resource, method, path }: RequestEntry): string {
  if (operation === null && action !== null && resource !== null) return `${action} ${resource}`;
  if (action !== null) return action;
  if (operation !== null) return resource === null ? operation : `${operation} ${resource}`;
  return `${method} ${path}`;
}

export interface Outcome {
  readonly tone: Tone;
  readonly word: string;
}

/** The outcomes of a request, most important first. Several can be true of one request. */
export function describeOutcomes(entry: RequestEntry): Outcome[] {
  const outcomes: Outcome[] = [];
  if (entry.rewoundTo !== null) return [{ tone: 'info', word: `before ${entry.rewoundTo}` }];
  if (entry.applied) outcomes.push({ tone: 'good', word: 'applied' });
  if (entry.replayOf !== null) outcomes.push({ tone: 'info', word: 'replayed' });
  if (entry.error !== null) outcomes.push({ tone: 'bad', word: entry.error });
  for (const fault of entry.faults) outcomes.push({ tone: 'warn', word: fault });
  if (!entry.answered && entry.faults.length === 0)
    outcomes.push({ tone: 'warn', word: entry.status === null ? 'in progress' : 'not delivered' });
  return outcomes;
}

/** The color of a status. A success has none: of many requests, the others are what to look at. */
export function getStatusTone(status: number | null): Tone {
  if (status === null) return 'warn';
  if (status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'plain';
}

/** What happened, in sentences. */
export function explainOutcome(entry: RequestEntry): string[] {
  const { status, answered, applied, replayOf, error, faults, action, recordId } = entry;
  if (entry.rewoundTo !== null) return [`The mock went back to the state before ${entry.rewoundTo}.`];
  const sentences: string[] = [];
  if (applied && entry.operation === null) return ['It came from outside the API, by the control API.'];
  if (applied) sentences.push(`The change was applied${recordId === null ? '' : ` to record ${recordId}`}.`);
  else if (replayOf !== null)
    sentences.push(
      `This operationId was known: the mock returned the stored answer of ${replayOf} and changed nothing.`,
    );
  else if (error !== null) sentences.push(`The mock refused it with ${status} ${error} and changed nothing.`);
  else if (action !== null) sentences.push('It changed nothing.');
  for (const fault of faults) sentences.push(`The fault ${fault} hit it.`);
  if (!answered) {
    sentences.push(
      status === null
        ? 'No answer was made.'
        : `The answer ${status} did not arrive: the client cannot know whether the change was applied.`,
    );
  }
  return sentences;
}

/** Whether a request changed something, so that there is a moment before it. */
export const hasChanged = ({ operation, status, replayOf, applied }: RequestEntry): boolean =>
  (operation === null && applied) ||
  ((operation === 'changeChat' || operation === 'addSeoKeywords') &&
    replayOf === null &&
    status !== null &&
    status < 300);
