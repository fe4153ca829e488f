import { toComparableId } from '@orgchat/sdk/internal';
import {
  type ChangeableResource,
  configurationResources,
  getIdentityFields,
  listDataFields,
  records,
} from '@orgchat/spec';
import type * as z from 'zod';
import { findPlace, type Place, toPointer } from '../../answer-frames/find-place.ts';
import { isOutage, outage } from '../answers.ts';
import { findField, findFrame } from '../find-frame.ts';
import { createInsideTest, findData, findLabel, findRevision, listDataPlaces } from '../find-record.ts';
import type { Asking, Group, Probe } from '../probe.ts';
import type { ProbeResult } from '../probe-result.ts';
import { readDates } from '../read-dates.ts';

type Row = Readonly<Record<string, unknown>>;

const recordTopics = [
  'shapes.one',
  'shapes.record.revision',
  'shapes.record.label',
  'shapes.record.data',
  'shapes.record.rename',
  'records.fields',
  'shapes.row.guards',
  'shapes.row.data',
] as const;

const times = ['createdAt', 'updatedAt'];

/** Fields that are elsewhere than where they are expected, as `name:pointer`, and fields that are nowhere. */
function findRenamed(
  record: Row,
  resource: ChangeableResource,
  data: Place,
): { readonly renamed: readonly string[]; readonly lacking: readonly string[] } {
  const renamed: string[] = [];
  const lacking: string[] = [];
  const isInside = createInsideTest(resource, data);
  for (const name of [...listDataFields(resource), ...times]) {
    const isTime = times.includes(name);
    const expected = `${isTime ? '' : data.pointer}${toPointer(name)}`;
    const found =
      findPlace(record, ({ pointer }) => pointer === expected) ??
      findField(record, name, (place) => !isInside(place));
    if (found === undefined) lacking.push(name);
    else if (found.pointer !== expected) renamed.push(`${name}:${found.pointer}`);
  }
  return { renamed, lacking };
}

/** Where a gap about a field of a record is. */
export const toFieldPlace = (resource: string, name: string): string => `${resource}.${name}`;

/** A field of the identity of a record: where it is, and its value, which is not kept. */
interface IdentityField extends Place {
  readonly name: string;
}

/** Finds the fields that name a record, in any spelling, such as `user_id`. */
function findIdentity(row: Row, resource: ChangeableResource): readonly IdentityField[] {
  const isText = ({ pointer, value }: Place): boolean =>
    typeof value === 'string' && pointer.split('/').length === 2;
  return getIdentityFields(resource).flatMap((name) => {
    const own = findPlace(row, (place) => place.pointer === toPointer(name) && isText(place));
    const found = own ?? findField(row, name, isText);
    return found === undefined ? [] : [{ name, ...found }];
  });
}

/** Whether a value is the record with an identity. A server may write UUIDs in upper case. */
const hasIdentity = (value: unknown, identity: readonly IdentityField[]): value is Row =>
  identity.every(({ pointer, value: id }) => {
    const found = findPlace(value, (place) => place.pointer === pointer)?.value;
    return typeof found === 'string' && toComparableId(found) === toComparableId(String(id));
  });

/** What a record shows about where its parts are. No value of it leaves this function. */
function readRecord(
  record: Row,
  row: Row,
  resource: ChangeableResource,
  identity: readonly IdentityField[],
): readonly ProbeResult[] {
  const data = findData(record, resource);
  const revision = findRevision(record, resource, data);
  const label = findLabel(record, resource, data);
  const { renamed: renamedData, lacking } = findRenamed(record, resource, data);
  const renamed = [
    ...identity
      .filter(({ name, pointer }) => pointer !== toPointer(name))
      .map(({ name, pointer }) => `${name}:${pointer}`),
    ...renamedData,
  ];
  const required = lacking.filter((name) => !times.includes(name) && isRequired(resource, name));
  const hasField = (pointer: string): boolean =>
    findPlace(row, (place) => place.pointer === pointer) !== undefined;
  const inRecord = listDataPlaces(resource, data).filter(
    (pointer) => findPlace(record, (place) => place.pointer === pointer) !== undefined,
  );
  const at = (topic: ProbeResult['topic'], found: Place | undefined): ProbeResult =>
    found === undefined
      ? { topic, place: resource, unknown: 'the record has none' }
      : { topic, place: resource, fact: found.pointer };
  return [
    at('shapes.record.data', data),
    at('shapes.record.revision', revision),
    at('shapes.record.label', label),
    { topic: 'shapes.record.rename', place: resource, fact: renamed },
    ...lacking.map(
      (name): ProbeResult => ({
        topic: 'shapes.record.rename',
        place: toFieldPlace(resource, name),
        unknown: 'the record has none',
      }),
    ),
    { topic: 'records.fields', place: resource, fact: required },
    {
      topic: 'shapes.row.guards',
      place: resource,
      fact: revision !== undefined && hasField(revision.pointer),
    },
    inRecord.length === 0
      ? { topic: 'shapes.row.data', place: resource, unknown: 'the record has no data' }
      : { topic: 'shapes.row.data', place: resource, fact: inRecord.every(hasField) },
    ...readDates(record, resource),
  ];
}

/** Whether a record has to have a field. One that is optional or may be null may be absent. */
function isRequired(resource: ChangeableResource, name: string): boolean {
  const fields: Readonly<Record<string, z.ZodType>> = records[resource].shape;
  const field = fields[name];
  return field !== undefined && !field.safeParse(undefined).success && !field.safeParse(null).success;
}

/** Reads the first record of a list by its identity, and says what both show. Ids are compared and not kept. */
async function askRecord(
  { send, readList }: Asking,
  resource: ChangeableResource,
): Promise<readonly ProbeResult[]> {
  const gap = (unknown: string, more: { readonly mayPass?: true } = {}): readonly ProbeResult[] =>
    recordTopics.map((topic) => ({ topic, place: resource, unknown, ...more }));
  const list = await readList(resource);
  if (isOutage(list)) return recordTopics.map((topic) => outage(topic, resource, list));
  const row = list.status === 200 ? findFrame(list.json)?.rows[0] : undefined;
  if (row === undefined) return gap(`no record exists: ${resource}`);
  const names = getIdentityFields(resource);
  const identity = findIdentity(row, resource);
  const missing = names.filter((name) => !identity.some((field) => field.name === name));
  if (missing.length > 0) {
    const unknown = `rows of lists have no ${missing.join(' and ')} as text (with another name: shapes.record.rename in the description)`;
    // One that is not there may have another name.
    const fact = missing.filter((name) => Object.hasOwn(row, name));
    if (fact.length === 0) return gap(unknown);
    const others = gap(unknown).filter(({ topic }) => topic !== 'records.fields');
    return [{ topic: 'records.fields', place: resource, fact }, ...others];
  }
  const asked: Row = Object.fromEntries(identity.map(({ name, value }) => [name, value]));
  const answer = await send({ method: 'POST', path: '/chat/read', body: { resource, ...asked } });
  if (isOutage(answer)) return recordTopics.map((topic) => outage(topic, resource, answer));
  // Somebody may have deleted it since the list was read.
  if (answer.status === 404) return gap('the record was deleted in the meantime', { mayPass: true });
  if (answer.status !== 200) {
    const what = `reading one of ${resource}: answered ${answer.status}`;
    return [{ topic: 'shapes.one', clause: '4.3.27', what, requests: [answer.request] }];
  }
  const found = findPlace(answer.json, ({ value }) => hasIdentity(value, identity));
  if (found === undefined) return gap('the answer has no record with the id that was asked for');
  return [
    { topic: 'shapes.one', place: resource, fact: found.pointer },
    ...readRecord(found.value as Row, row, resource, identity),
  ];
}

/** The name of the probe of the first record of a resource. */
export const toRecordProbe = (resource: ChangeableResource, group: Group = 'one'): string =>
  `${group}/one of ${resource}`;

const probe = (group: Group, resource: ChangeableResource): Probe => ({
  name: toRecordProbe(resource, group),
  group,
  topics: [...recordTopics, 'behavior.dates'],
  clauses: ['4.3.27'],
  ask: (asking) => askRecord(asking, resource),
});

/** The first record of each configuration resource. */
export const recordProbes: readonly Probe[] = configurationResources.map((resource) =>
  probe('one', resource),
);

/** The first friend. */
export const friendProbe: Probe = probe('people', 'friends');
