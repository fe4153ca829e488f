import { singularNames } from '@orgchat/spec/resources/names';
import type { Tone } from '../../components/panel.tsx';
import type { FaultInput, RequestEntry } from '../../control-api/types.ts';
import { decodePiece } from '../../text/decode-piece.ts';

/** What a request asks for, in a few words: `create-tags`, `readChat friends`, or its path. A control call names what it changed. */
export function describeRequest({ operation, action, resource, method, path }: RequestEntry): string {
  if (operation === 'addSeoKeywords') return `${operation} ${decodePiece(path.split('/')[2] ?? '')}`;
  if (operation === null && action !== null && resource !== null) return `${action} ${resource}`;
  if (action !== null) return action;
  if (operation !== null) return resource === null ? operation : `${operation} ${resource}`;
  return `${method} ${path}`;
}

/** With the name of the record, if there is one. */
export const describeWithName = (entry: RequestEntry): string =>
  entry.recordName === null ? describeRequest(entry) : `${describeRequest(entry)} “${entry.recordName}”`;

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
  if (isInProgress(entry)) outcomes.push({ tone: 'warn', word: 'in progress' });
  return outcomes;
}

/** Effects of faults after which a client gets no whole answer. */
const endingEffects: ReadonlySet<string> = new Set<FaultInput['effect']>([
  'drop-request',
  'lose-response',
  'cut-response',
  'uncertain',
]);

/** Whether a request may still be answered. */
export const isInProgress = ({ answered, status, faults }: RequestEntry): boolean =>
  !answered && status === null && !faults.some((effect) => endingEffects.has(effect));

/** What a client got: the status, or that no whole answer arrived. */
export function describeAnswer(entry: RequestEntry): Outcome {
  const { answered, status } = entry;
  if (isInProgress(entry)) return { tone: 'plain', word: '…' };
  if (!answered || status === null) return { tone: 'warn', word: 'no answer' };
  return { tone: getStatusTone(status), word: String(status) };
}

/** Ids and revisions, whose first characters are enough in a row. */
const longId =
  /\b([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b([0-9a-f]{8})[0-9a-f]{56}\b|\b(U[0-9a-f]{7})[0-9a-f]{25}\b/gi;

/** Why a request was refused or not answered, in the first sentence of the reason; undefined for a success. */
export function describeReason(entry: RequestEntry): string | undefined {
  if (entry.error === null && (entry.answered || isInProgress(entry))) return undefined;
  const { because, problems: [problem] = [] } = entry.decidedBy;
  return shortenReason(because, problem);
}

/** The first sentence of a reason, or of a misspelled value what was meant: that says more than all that is allowed, and is first where a list has only room for the start. */
export function shortenReason(
  because: string,
  problem?: { readonly path: string; readonly sent?: string; readonly didYouMean?: string },
): string {
  if (problem?.didYouMean !== undefined) {
    const place = problem.sent === undefined ? problem.path : `${problem.path} ${problem.sent}`;
    return `did you mean ${problem.didYouMean}? (${place})`;
  }
  const [first = ''] = splitSentences(because);
  return first.replace(longId, (_, ...starts: (string | undefined)[]) => `${starts.find(Boolean)}…`);
}

/** A sentence up to its period. Names are in quotes, and may have periods of their own. */
const sentence = /(?:"(?:[^"\\]|\\.)*"|[\s\S])+?(?:\. (?=[A-Z])|$)/gs;

export const splitSentences = (because: string): readonly string[] =>
  (because.match(sentence) ?? [because]).map((one) => one.trimEnd());

/** The resource of the records that a sentence names to use instead; undefined if it names none. */
export function findCandidateResource(sentence: string): string | undefined {
  const [, singular] =
    /^Use the id of (?:an existing|another) ([a-z -]+?)(?: with the same name)?: /.exec(sentence) ?? [];
  return singular === undefined
    ? undefined
    : Object.entries(singularNames).find(([, name]) => name === singular)?.[0];
}

/** The color of a status. A success has none: of many requests, the others are what to look at. */
function getStatusTone(status: number): Tone {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'plain';
}

/** What happened, in sentences. */
export function explainOutcome(entry: RequestEntry): string[] {
  const { status, answered, applied, replayOf, error, faults, action, recordId, recordName } = entry;
  const record = recordName === null ? recordId && `record ${recordId}` : `“${recordName}”`;
  if (entry.rewoundTo !== null) return [`The mock went back to the state before ${entry.rewoundTo}.`];
  const sentences: string[] = [];
  if (isInProgress(entry)) return ['It is not answered yet.'];
  if (isFromOutside(entry)) return ['It came from outside the API, by the control API.'];
  if (applied) sentences.push(`The change was applied${record === null ? '' : ` to ${record}`}.`);
  else if (replayOf !== null)
    sentences.push(
      `This operationId was known: the mock returned the stored answer of ${replayOf} and changed nothing.`,
    );
  // That a request was refused is in its badges, and why is below them.
  else if (error === null && action !== null) sentences.push('It changed nothing.');
  for (const fault of faults) sentences.push(`The fault ${fault} hit it.`);
  if (!answered) {
    sentences.push(
      status === null
        ? 'No answer was made.'
        : `The answer ${status} did not arrive${isChange(entry) ? ': the client cannot know whether the change was applied' : ''}.`,
    );
  }
  return sentences;
}

/** Whether a request asks for a change. */
export const isChange = ({ operation }: Pick<RequestEntry, 'operation'>): boolean =>
  operation === 'changeChat' || operation === 'addSeoKeywords';

/** Whether an entry is not a request of a client, but a call of the control API that changed something. */
export const isFromOutside = ({
  operation,
  applied,
  rewoundTo,
}: Pick<RequestEntry, 'operation' | 'applied' | 'rewoundTo'>): boolean =>
  operation === null && (applied || rewoundTo !== null);

/** Whether a request changed something, so that there is a moment before it. */
export const hasChanged = ({ operation, status, replayOf, applied }: RequestEntry): boolean =>
  (operation === null && applied) ||
  (isChange({ operation }) && replayOf === null && status !== null && status < 300);
