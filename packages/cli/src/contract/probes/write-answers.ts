import { isObject, refusalStatuses } from '@orgchat/spec';
import { findPlace } from '../../answer-frames/find-place.ts';
import { getCode, isOutage, outage } from '../answers.ts';
import type { ProbeResult } from '../probe-result.ts';
import type { TopicName } from '../topics.ts';
import type { Sent } from '../writer.ts';

/* How answers to changes are read. */

/** Whether a change was answered as applied, now or earlier. */
export const isApplied = ({ answer }: Sent): boolean =>
  answer.status === 200 && (answer.json as { readonly applied?: unknown } | undefined)?.applied === true;

export const isReplayed = (sent: Sent): boolean =>
  isApplied(sent) && (sent.answer.json as { readonly replayed?: unknown }).replayed === true;

/** What an answer lacks that every applied change has, as a clause and half of a sentence. */
function findProblem(json: unknown, isReplay: boolean): readonly [clause: string, what: string] | undefined {
  if (!isObject(json)) return ['4.4.31', 'the answer is not a JSON object'];
  if (json.ok !== true) return ['4.4.31', 'ok is not true'];
  if (json.applied !== true) return [isReplay ? '6.6' : '6.4', 'applied is not true'];
  if (json.replayed !== isReplay) return [isReplay ? '6.6' : '6.4', `replayed is not ${isReplay}`];
  return typeof json.auditRecorded === 'boolean'
    ? undefined
    : ['4.4.34', 'auditRecorded is not true or false'];
}

/** The clauses about answers to changes that are applied, or were earlier. */
export const appliedClauses = ['4.4.31', '4.4.33', '4.4.34', '4.4.36', '6.4', '6.6'];

/** Reads the answer to a change that has to be applied, or, with `isReplay`, whose stored result has to be returned. */
export function readApplied({ answer }: Sent, place: string, isReplay = false): ProbeResult {
  const topic = isReplay ? 'write.replay' : 'write.applied';
  const { status, json, request } = answer;
  if (isOutage(answer)) return outage(topic, place, answer);
  if (status === 403) return { topic, place, unknown: 'the key may not change anything (403)' };
  const [clause, what] =
    status === 200
      ? (findProblem(json, isReplay) ?? [])
      : [isReplay ? '6.6' : '4.4.36', `answered ${status}`];
  if (clause === undefined) return { topic, place, fact: isReplay ? 'applied once' : 'applied' };
  const again = isReplay ? 'sent again with the same operationId' : 'a valid change';
  return {
    topic,
    clause,
    what: `${place}, ${again}: ${what}`,
    requests: isReplay ? [request, request] : [request],
  };
}

/** Whether a value has a text in one of its places. */
export const hasText = (value: unknown, text: string): boolean =>
  findPlace(value, (place) => place.value === text) !== undefined;

/** Where the record is in a result, or what the result has in place of it. `name` is what was written. */
export function readResult(
  { answer }: Sent,
  kind: 'create' | 'update',
  name: string,
  place: string,
): ProbeResult {
  const topic: TopicName = `shapes.result.${kind}`;
  const result = (answer.json as { readonly result?: unknown }).result ?? null;
  if (result === null) return { topic, place, fact: null };
  const isRecord = (value: unknown): boolean =>
    isObject(value) && typeof value.id === 'string' && hasText(value, name);
  const record = findPlace(result, ({ value }) => isRecord(value));
  if (record !== undefined) return { topic, place, fact: record.pointer };
  if (isObject(result) && typeof result.id === 'string') return { topic, place, fact: Object.keys(result) };
  return { topic, place, unknown: 'the result is neither a record nor some of its fields' };
}

/** The fields of the result of a deletion. */
export function readDeletion({ answer }: Sent, place: string): ProbeResult {
  const topic = 'shapes.result.delete';
  const result = (answer.json as { readonly result?: unknown }).result ?? null;
  if (result === null) return { topic, place, fact: null };
  return isObject(result)
    ? { topic, place, fact: Object.keys(result) }
    : { topic, place, unknown: 'the result is not an object' };
}

/** How a change is answered that a server may refuse by a rule of its own: `accepted`, or status and code. */
export function readRule(sent: Sent, topic: TopicName, place: string): ProbeResult {
  const { status } = sent.answer;
  const code = getCode(sent.answer);
  if (isApplied(sent)) return { topic, place, fact: 'accepted' };
  if (isOutage(sent.answer)) return outage(topic, place, sent.answer);
  return refusalStatuses.some((one) => one === status) && code !== undefined
    ? { topic, place, fact: `${status} ${code}` }
    : { topic, place, unknown: `the server answered ${status}` };
}
