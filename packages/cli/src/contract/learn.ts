import { isDeepStrictEqual } from 'node:util';
import {
  type CodeMeaning,
  codeMeanings,
  createShapeResolver,
  getFieldPointer,
  getIdentityFields,
  isChangeable,
  listDataFields,
  readableResources,
  resolveServer,
  type ServerDescription,
} from '@orgchat/spec';
import { neededLimited } from './probes/lists.ts';
import { toFieldPlace } from './probes/records.ts';
import { type Fact, getTopic, type TopicName } from './topics.ts';
import type { Verdict } from './verdicts.ts';

/** What a description has to say about a topic; undefined if nothing, because it is as decided. */
export interface Learned {
  readonly topic: TopicName;
  /** The path of the key, such as `['shapes', 'one']`. */
  readonly key: readonly string[];
  readonly value: unknown;
}

const times = ['createdAt', 'updatedAt'];
const isResource = (place: string): boolean => readableResources.some((name) => name === place);

/** The key of one resource: `shapes.one` → `shapes.resources.links.one`. */
const ownKey = ([, ...rest]: readonly string[], resource: string): readonly string[] => [
  'shapes',
  'resources',
  resource,
  ...rest,
];

/** Topics whose facts are `accepted`, or the status and code of a refusal. */
const refusable: readonly TopicName[] = ['behavior.duplicateNames', 'behavior.unknownReference'];

/** The value of a fact in a description; undefined if it is as decided. */
function toValue(topic: TopicName, fact: Fact): unknown {
  if (isDeepStrictEqual(fact, getTopic(topic).decided)) return undefined;
  const [, status, code] = refusable.includes(topic) ? (/^(\d{3}) (.+)$/.exec(String(fact)) ?? []) : [];
  return status === undefined ? fact : { status: Number(status), code };
}

/** A topic with one value for all resources that were asked. What a description says of one of them is removed. */
const learnOnce = (verdict: Verdict, key: readonly string[], value: unknown): Learned[] => [
  { topic: verdict.topic, key, value },
  ...verdict.seen.flatMap(({ places }) => placesToKeys(verdict, places, key, undefined)),
];

const placesToKeys = (
  { topic }: Verdict,
  places: readonly string[],
  key: readonly string[],
  value: unknown,
): Learned[] => places.filter(isResource).map((place) => ({ topic, key: ownKey(key, place), value }));

/** A topic with one value for all resources, and others for some. */
function learnByResource(verdict: Verdict, key: readonly string[]): Learned[] {
  const [most, ...others] = verdict.seen;
  if (most === undefined) return [];
  return [
    { topic: verdict.topic, key, value: toValue(verdict.topic, most.fact) },
    ...placesToKeys(verdict, most.places, key, undefined),
    ...others.flatMap(({ fact, places }) => placesToKeys(verdict, places, key, fact)),
  ];
}

/** The fields of a record that may have another name. */
const listRenamable = (resource: string): readonly string[] =>
  isChangeable(resource)
    ? [...new Set([...getIdentityFields(resource), ...listDataFields(resource), ...times])]
    : [];

/** Fields with another name. One that several resources have is described once, unless they differ. */
function learnRenamed({ topic, seen, gaps }: Verdict, key: readonly string[]): Learned[] {
  const pointers = new Map<string, Map<string, string | undefined>>();
  for (const { fact, places } of seen)
    for (const resource of places) {
      const renamed = new Map(
        (fact as readonly string[]).map((pair) => pair.split(/:(.*)/s) as [string, string]),
      );
      // A record that lacks a field does not show where it is.
      for (const name of listRenamable(resource))
        if (!gaps.some(({ place }) => place === toFieldPlace(resource, name)))
          pointers.set(name, (pointers.get(name) ?? new Map()).set(resource, renamed.get(name)));
    }
  return [...pointers].flatMap(([name, byResource]): Learned[] => {
    const [first, ...others] = new Set(byResource.values());
    const isSame = others.length === 0;
    return [
      { topic, key: [...key, name], value: isSame ? first : undefined },
      ...Array.from(byResource, ([resource, pointer]) => ({
        topic,
        key: [...ownKey(key, resource), name],
        value: isSame ? undefined : pointer,
      })),
    ];
  });
}

/** A signal of a list that says something else than its name is not to be read. */
const learnSignal = (verdict: Verdict, key: readonly string[], isRead: boolean): Learned[] =>
  isRead ? learnByResource(verdict, key) : learnOnce(verdict, key, null);

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
      return learnOnce(verdict, key, seen.length > 1 ? 'unknown' : toValue(topic, most.fact));
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

/** The codes that were learned of a meaning. */
const toCodes = ({ topic, value }: Learned): readonly unknown[] => [value ?? getTopic(topic).decided].flat();

/** The codes that a description says, or assumes, of the meaning that was learned about. */
const getSaidCodes = (description: unknown, { key }: Learned): readonly unknown[] =>
  resolveServer(description).codes?.[key[1] as CodeMeaning] ?? [];

/** Whether a description has every code that was learned of a meaning. Its other codes may be those of other cases. */
const hasCodes = (description: unknown, learned: Learned): boolean =>
  toCodes(learned).every((code) => getSaidCodes(description, learned).includes(code));

/**
 * The codes that a description has to say. If one of its codes was seen, its others may be those of cases that no probe
 * asks about. Otherwise the server has changed.
 */
export function mergeCodes(description: unknown, learned: Learned): unknown {
  const said = getSaidCodes(description, learned);
  const seen = toCodes(learned);
  if (!seen.some((code) => said.includes(code))) return learned.value;
  const all = [...new Set([...said, ...seen])];
  return all.length === 1 ? all[0] : all;
}

const readPath = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((found, name) => (Object(found) as Readonly<Record<string, unknown>>)[name], value);

/** What a description says at the path of a key, of the resource if it is the key of one. */
function readMeaning({ shapes = {}, ...others }: ServerDescription, { topic, key }: Learned): unknown {
  const [part, ...rest] = key;
  if (part !== 'shapes') return readPath(others, key) ?? getTopic(topic).decided;
  if (rest[0] === 'result') {
    const said = readPath(shapes, rest);
    return said === undefined ? getTopic(topic).decided : said;
  }
  const [resource, path] = rest[0] === 'resources' ? [rest[1] ?? '', rest.slice(2)] : ['', rest];
  const shape = createShapeResolver(shapes)(resource);
  const name = path[1] === 'rename' ? path[2] : undefined;
  if (name !== undefined && isChangeable(resource)) return getFieldPointer(resource, shape.record, name);
  return readPath(shape, path);
}

/** Puts what was learned into an otherwise empty description. */
function describeLearned(learned: readonly Learned[]): ServerDescription {
  const set = (outer: unknown, [name = '', ...rest]: readonly string[], value: unknown): object => ({
    ...Object(outer),
    [name]: rest.length === 0 ? value : set(readPath(outer, [name]), rest, value),
  });
  return learned
    .filter(({ value }) => value !== undefined)
    .reduce<object>((outer, { key, value }) => set(outer, key, value), { server: 1 }) as ServerDescription;
}

/** The keys in which a description says something else than what was learned. */
export function compare(description: ServerDescription, learned: readonly Learned[]): readonly Learned[] {
  const server = describeLearned(learned);
  const isOther = (one: Learned): boolean =>
    one.key[0] === 'codes'
      ? !hasCodes(description, one)
      : !isDeepStrictEqual(readMeaning(description, one), readMeaning(server, one));
  const isOwn = ({ key }: Learned): boolean =>
    readPath(description, key) !== undefined || readPath(server, key) !== undefined;
  return learned.filter((one) => {
    if (one.key[1] === 'resources') return isOwn(one) && isOther(one);
    // What resources have in common is compared once, of each that has no key of its own.
    const resources = learned.filter(({ key }) => isOfResource(key, one.key));
    const common = resources.filter((other) => !isOwn(other));
    return resources.length === 0 ? isOther(one) : common.some(isOther);
  });
}

/** Whether a key is that of one resource for what another key says of all. */
const isOfResource = (key: readonly string[], general: readonly string[]): boolean =>
  key[1] === 'resources' && key.slice(3).join('.') === general.slice(1).join('.') && general[0] === 'shapes';
