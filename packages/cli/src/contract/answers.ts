import { type CodeMeaning, codeMeanings, isObject } from '@orgchat/spec';
import type { ContractAnswer } from './exchange.ts';
import type { ProbeResult } from './probe-result.ts';
import type { TopicName } from './topics.ts';

/* What probes have in common: how an error answer is read. */

/** An id that no record has. */
export const zeroId = '00000000-0000-4000-8000-000000000000';
/** A revision that no record has. */
export const zeroRevision = '0'.repeat(64);
export const zeroUser = `U${'0'.repeat(32)}`;

export const outage = (topic: TopicName, place: string, { status }: ContractAnswer): ProbeResult => ({
  topic,
  place,
  unknown: `the server answered ${status}`,
  mayPass: true,
});

/** Meanings that say nothing about the request itself: without what they are about, it may be answered otherwise. */
const sayingNothing = ['runtimeUnavailable', 'uncertain', 'planRequired', 'suspended'] as const;

/**
 * Whether a server failed, or lacks what it needs to answer: its answer does not say how it answers such a request, and
 * whether it applied it.
 */
export const isOutage = ({ status, meaning }: ContractAnswer): boolean =>
  status >= 500 || sayingNothing.some((one) => one === meaning);

/** Whether the body of a 200 says that a change was not applied, which has to be an error status. */
export const isDenied = ({ json }: Pick<ContractAnswer, 'json'>): boolean =>
  isObject(json) && (json.ok === false || (json.applied === false && json.replayed !== true));

/** Whether an answer is an error document of the contract. */
export const isErrorDocument = (
  json: unknown,
): json is { readonly error: string; readonly message: string } =>
  isObject(json) && typeof json.error === 'string' && typeof json.message === 'string';

/** Whether a text may be an id or have one in it: such a text may be of a record. */
export const hasId = (text: string): boolean => /[\da-f]{8}-[\da-f]{4}-|[\da-f]{16}|\d{6}/i.test(text);

/** The code of an error answer; undefined if it is not an error document, or has a sentence in place of a code. */
export function getCode({ json }: Pick<ContractAnswer, 'json'>): string | undefined {
  if (!isErrorDocument(json)) return undefined;
  return /^[\w.:/-]{1,80}$/.test(json.error) && !hasId(json.error) ? json.error : undefined;
}

/** Reads an answer that has to be an error of a meaning. `clause` demands its status. */
export function readRefusal(
  answer: ContractAnswer,
  place: string,
  meaning: CodeMeaning,
  { topic, clause }: { readonly topic: TopicName; readonly clause: string },
): readonly ProbeResult[] {
  const codeTopic = `codes.${meaning}` as TopicName;
  if (isOutage(answer)) return [outage(topic, place, answer), outage(codeTopic, place, answer)];
  const { status, request, json } = answer;
  const [expected = 0] = codeMeanings[meaning].statuses;
  // A server may look for a record before it looks at the request (clause 7.2.5).
  if (status === 404 && expected !== 404)
    return [outage(topic, place, answer), outage(codeTopic, place, answer)];
  if (status !== expected)
    return [{ topic, clause, what: `${place}: answered ${status}, not ${expected}`, requests: [request] }];
  if (!isErrorDocument(json))
    return [
      {
        topic: codeTopic,
        clause: '7.1.1',
        what: `${place}: the body of the ${status} is not { error, message }`,
        requests: [request],
      },
    ];
  const refused: readonly ProbeResult[] = topic === codeTopic ? [] : [{ topic, place, fact: 'refused' }];
  return [...refused, ...readCode(answer, codeTopic, place, meaning)];
}

/** What an error document says about the code of a meaning. */
function readCode(
  answer: ContractAnswer,
  topic: TopicName,
  place: string,
  meaning: CodeMeaning,
): readonly ProbeResult[] {
  const code = getCode(answer);
  if (code === undefined)
    return [{ topic, place, unknown: 'its error is a sentence or has an id, not a code' }];
  const learned: ProbeResult = { topic, place, fact: code };
  // The one code that the contract names.
  if (meaning !== 'forbidden' || code === codeMeanings.forbidden.code) return [learned];
  const what = `${place}: the code is ${code}, not ${codeMeanings.forbidden.code}`;
  return [learned, { topic, clause: '7.1.4', what, requests: [answer.request] }];
}
