import { type CodeMeaning, codeMeanings, isObject } from '@orgchat/spec';
import type { ContractAnswer, Finding } from './probe.ts';
import type { TopicName } from './topics.ts';

/* What probes have in common: how an error answer is read. */

/** An id that no record has. */
export const zeroId = '00000000-0000-4000-8000-000000000000';
export const zeroUser = `U${'0'.repeat(32)}`;

/** Whether a server failed, so that its answer says nothing about what was asked. */
export const isOutage = ({ status }: ContractAnswer): boolean => status >= 500;

export const outage = (topic: TopicName, place: string, { status }: ContractAnswer): Finding => ({
  topic,
  place,
  unknown: `the server answered ${status}`,
});

/** The code of an error answer; undefined if it is not an error document of the contract. */
export function getCode({ json }: ContractAnswer): string | undefined {
  return isObject(json) && typeof json.error === 'string' && typeof json.message === 'string'
    ? json.error
    : undefined;
}

/** Reads an answer that has to be an error of a meaning. `clause` demands its status. */
export function readRefusal(
  answer: ContractAnswer,
  place: string,
  meaning: CodeMeaning,
  { topic, clause }: { readonly topic: TopicName; readonly clause: string },
): readonly Finding[] {
  const codeTopic = `codes.${meaning}` as TopicName;
  if (isOutage(answer)) return [outage(topic, place, answer), outage(codeTopic, place, answer)];
  const { status, request } = answer;
  const [expected = 0] = codeMeanings[meaning].statuses;
  if (status !== expected)
    return [{ topic, clause, what: `${place}: answered ${status}, not ${expected}`, requests: [request] }];
  const code = getCode(answer);
  if (code === undefined)
    return [
      {
        topic: codeTopic,
        clause: '7.1.1',
        what: `${place}: the body of the ${status} is not { error, message }`,
        requests: [request],
      },
    ];
  const refused: readonly Finding[] = topic === codeTopic ? [] : [{ topic, place, fact: 'refused' }];
  return [...refused, { topic: codeTopic, place, fact: code }];
}
