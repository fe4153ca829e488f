import {
  type CodeMeaning,
  codeMeanings,
  isChangeable,
  listDataFields,
  readableResources,
  type ServerDescription,
} from '@orgchat/spec';
import { neededLimited } from './probes/lists.ts';
import { type Fact, getTopic, type TopicName } from './topics.ts';
import type { Verdict } from './verdicts.ts';

/** What a description has to say about a topic; undefined if nothing, because it is as decided. */
export interface Learned {
  readonly topic: TopicName;
  /** The path of the key, such as `['shapes', 'one']`. */
  readonly key: readonly string[];
  readonly value: unknown;
}

/** What a description has at a path. */
const readKey = (description: unknown, key: readonly string[]): unknown =>
  key.reduce<unknown>(
    (found, name) => (Object(found) as Readonly<Record<string, unknown>>)[name],
    description,
  );

const times = ['createdAt', 'updatedAt'];
const isResource = (place: string): boolean => readableResources.some((name) => name === place);

/** The key of one resource: `shapes.one` → `shapes.resources.links.one`. */
const ownKey = ([, ...rest]: readonly string[], resource: string): readonly string[] => [
  'shapes',
  'resources',
  resource,
  ...rest,
];

/** The value of a fact in a description; undefined if it is as decided. */
const toValue = (topic: TopicName, fact: Fact): unknown =>
  JSON.stringify(fact) === JSON.stringify(getTopic(topic).decided) ? undefined : fact;

/** A topic with one value for all resources, and others for some. */
function learnByResource({ topic, seen: [most, ...others] }: Verdict, key: readonly string[]): Learned[] {
  if (most === undefined) return [];
  const general = { topic, key, value: toValue(topic, most.fact) };
  const same = most.places
    .filter(isResource)
    .map((place) => ({ topic, key: ownKey(key, place), value: undefined }));
  const own = others.flatMap(({ fact, places }) =>
    places.filter(isResource).map((place) => ({ topic, key: ownKey(key, place), value: fact })),
  );
  return [general, ...same, ...own];
}

/** Fields with another name. One that several resources have is described once, unless they differ. */
function learnRenamed({ topic, seen }: Verdict, key: readonly string[]): Learned[] {
  const byResource = new Map<string, Map<string, string>>();
  for (const { fact, places } of seen)
    for (const place of places)
      byResource.set(
        place,
        new Map((fact as readonly string[]).map((pair) => pair.split(/:(.*)/s) as [string, string])),
      );
  const resources = [...byResource.keys()];
  const names = new Set([...byResource.values()].flatMap((renamed) => [...renamed.keys()]));
  return [...names].flatMap((name): Learned[] => {
    const having = resources.filter(
      (resource) =>
        times.includes(name) || (isChangeable(resource) && listDataFields(resource).includes(name)),
    );
    const pointers = having.map((resource) => byResource.get(resource)?.get(name));
    const [first] = pointers;
    if (pointers.every((pointer) => pointer === first)) return [{ topic, key: [...key, name], value: first }];
    return having.flatMap((resource, at) =>
      pointers[at] === undefined
        ? []
        : [{ topic, key: [...ownKey(key, resource), name], value: pointers[at] }],
    );
  });
}

/** A signal of a list that says something else than its name is not to be read. */
function learnSignal(verdict: Verdict, key: readonly string[], isRead: boolean): Learned[] {
  if (isRead) return learnByResource(verdict, key);
  return [{ topic: verdict.topic, key, value: null }];
}

function learnTopic(verdict: Verdict, find: (topic: TopicName) => Fact | undefined): Learned[] {
  const { topic, seen } = verdict;
  const [most] = seen;
  const key = getTopic(topic).key?.split('.');
  if (key === undefined || most === undefined) return [];
  const total = find('lists.total');
  const isTotalRead = total === undefined || total === 'all records';
  switch (topic) {
    case 'shapes.list.total':
      return learnSignal(verdict, key, isTotalRead);
    case 'shapes.list.limited': {
      const limited = find('lists.limited');
      const isNeeded = limited === neededLimited && !(total === 'all records');
      return learnSignal(verdict, key, limited === undefined || limited === 'more exist' || isNeeded);
    }
    case 'shapes.list.order':
      // Nobody may rely on an order that only some lists have.
      return [{ topic, key, value: seen.length > 1 ? 'unknown' : toValue(topic, most.fact) }];
    case 'shapes.record.rename':
      return learnRenamed(verdict, key);
    default:
      break;
  }
  if (key[0] === 'codes') {
    const codes = seen.map(({ fact }) => fact);
    return [{ topic, key, value: codes.length === 1 ? toValue(topic, most.fact) : codes }];
  }
  return key[0] === 'shapes'
    ? learnByResource(verdict, key)
    : [{ topic, key, value: toValue(topic, most.fact) }];
}

/** What a description has to say, for each topic about which something was learned. */
export function learn(verdicts: readonly Verdict[]): readonly Learned[] {
  const find = (topic: TopicName): Fact | undefined =>
    verdicts.find((verdict) => verdict.topic === topic)?.seen[0]?.fact;
  return verdicts.flatMap((verdict) => learnTopic(verdict, find));
}

/** The meanings whose codes are still not known of the server. */
export function listUnknownMeanings(
  verdicts: readonly Verdict[],
  description: Pick<ServerDescription, 'codes' | 'unknown'> | undefined,
): readonly CodeMeaning[] {
  const isLearned = (meaning: CodeMeaning): boolean =>
    verdicts.some(({ topic, seen }) => topic === `codes.${meaning}` && seen.length > 0);
  const isSaid = (meaning: CodeMeaning): boolean =>
    description !== undefined &&
    (description.codes?.[meaning] !== undefined ||
      (description.unknown !== undefined && !description.unknown.includes(meaning)));
  return (Object.keys(codeMeanings) as CodeMeaning[]).filter(
    // The contract names the code of forbidden.
    (meaning) => meaning !== 'forbidden' && !isLearned(meaning) && !isSaid(meaning),
  );
}

/** The keys in which a description says something else than what was learned. */
export function compare(description: ServerDescription, learned: readonly Learned[]): readonly Learned[] {
  const findGeneral = (key: readonly string[]): unknown =>
    learned.find((one) => one.key.join('.') === key.join('.'))?.value;
  return learned.filter(({ topic, key: path, value }) => {
    const decided = path.includes('rename') ? undefined : getTopic(topic).decided;
    const own = readKey(description, path);
    const isOfResource = path[1] === 'resources';
    const general = ['shapes', ...path.slice(3)];
    // What a resource has in common with the others is compared once.
    if (isOfResource && own === undefined && value === undefined) return false;
    const said = own ?? (isOfResource ? readKey(description, general) : undefined) ?? decided;
    const expected = value ?? (isOfResource ? findGeneral(general) : undefined) ?? decided;
    return JSON.stringify(said) !== JSON.stringify(expected);
  });
}
