import { isObject, type ReadableResource } from '@orgchat/spec';
import { findFrame } from '../find-frame.ts';
import type { Asking, Probe } from '../probe.ts';
import type { ProbeResult } from '../probe-result.ts';
import { listClauses, listTopics, readListAnswer } from './lists.ts';
import { friendProbe } from './records.ts';

/* Friends and what happened with them. Of none of them anything is kept. */

type Query = Readonly<Record<string, unknown>>;

/** The identity of the first record of a list, under the names that a query has; undefined if there is none. */
async function findFirst(
  { readList }: Asking,
  resource: ReadableResource,
  names: readonly string[],
): Promise<Query | undefined> {
  const { status, json } = await readList(resource);
  const row = status === 200 && isObject(json) ? findFrame(json)?.rows[0] : undefined;
  if (row === undefined || names.some((name) => typeof row[name] !== 'string')) return undefined;
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}

const simple = (resource: ReadableResource): Probe => ({
  name: `people/${resource}`,
  group: 'people',
  topics: [...listTopics, 'limits.pageSize'],
  clauses: listClauses,
  ask: async ({ readList }) => readListAnswer(await readList(resource), resource),
});

/** A list that belongs to the first record of another one. */
const childList = (
  resource: ReadableResource,
  parent: ReadableResource,
  names: readonly string[],
): Probe => ({
  name: `people/${resource}`,
  group: 'people',
  topics: [...listTopics, 'limits.pageSize'],
  clauses: listClauses,
  async ask(asking) {
    const query = await findFirst(asking, parent, names);
    const gap = (topic: ProbeResult['topic']): ProbeResult => ({
      topic,
      place: resource,
      unknown: `no record exists: ${parent}`,
    });
    if (query === undefined) return listTopics.map(gap);
    const answer = await asking.send({ method: 'POST', path: '/chat/read', body: { resource, ...query } });
    return readListAnswer(answer, resource);
  },
});

const friend = ['accountId', 'userId'];

export const peopleProbes: readonly Probe[] = [
  simple('friends'),
  simple('conversations'),
  friendProbe,
  childList('messages', 'friends', friend),
  childList('friend-automations', 'friends', friend),
  childList('form-submissions', 'forms', ['id']),
  childList('link-clicks', 'links', ['id']),
];
