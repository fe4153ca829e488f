import { type Fields, listFields, type Notation, type Union } from '../server/check-input.ts';
import { dataNotations } from '../server/inputs.ts';
import type { Data, Stored, StoredResource } from '../server/organization.ts';
import type { Choices } from './axes.ts';

type Values = Record<string, unknown>;
const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A friend as it is read. Unlike in an update, everything is there. */
const friendNotation = { displayName: 'text 1 200', status: 'text 1 40', 'notes~': 'text 0 2000' };
const notationOf = (resource: StoredResource): Fields =>
  resource === 'friends' ? { ...friendNotation, tagIds: ['uuid', 0, 50] } : dataNotations[resource];

/** Fields of no input, which servers give to the parts of a record. */
const extraFields = { id: 'part-1', createdAt: '2026-02-01T00:00:00Z' };

/** Writes a part of a record. What the contract does not have stays as it is. */
function writeValue(value: unknown, notation: Notation, choices: Choices): unknown {
  if (typeof notation === 'string')
    return notation === 'uuid' && typeof value === 'string' ? writeId(value, choices) : value;
  if (Array.isArray(value)) {
    const [item] = notation as readonly [Notation, number, number];
    const hasExtras = choices.extras !== 'none';
    return value
      .map((one) => writeValue(one, item, choices))
      .map((one) => (hasExtras && isObject(one) ? { ...one, ...extraFields } : one));
  }
  if (!isObject(value)) return value;
  const fields = listFields(notation as Fields | Union, value);
  if (fields === undefined) return value;
  const written: Values = {};
  for (const { name, notation: inner, isOptional } of fields) {
    const stored = value[name];
    if (stored === null && choices.nulls === 'absent for null') continue;
    if (stored !== undefined) written[name] = writeValue(stored, inner, choices);
    else if (name === 'timingMode' && choices.defaults === 'filled in') written[name] = 'relative';
    else if (isOptional && choices.nulls === 'null for absent') written[name] = null;
  }
  return written;
}

const writeId = (id: string, { ids }: Choices): string =>
  ids === 'upper case' && /^[0-9a-f-]{36}$/.test(id) ? id.toUpperCase() : id;

const guardNames = {
  revision: ['revision', 'label'],
  version: ['version', 'caption'],
  'meta.version': ['version', 'title'],
} as const;

/** The revision and the label, under the names that the member has for them. */
function writeGuards(guards: Partial<Pick<Stored, 'revision' | 'label'>>, choices: Choices): Values {
  const [revision, label] = guardNames[choices.guards];
  const written = {
    ...(guards.revision !== undefined && { [revision]: guards.revision }),
    ...(guards.label !== undefined && { [label]: guards.label }),
  };
  const isNested = choices.guards === 'meta.version' && Object.keys(written).length > 0;
  return isNested ? { meta: written } : written;
}

function writeTimes({ createdAt, updatedAt }: Stored, { times }: Choices): Values {
  if (times === 'absent') return {};
  return times === 'present' ? { createdAt, updatedAt } : { created_at: createdAt, updated_at: updatedAt };
}

/** Writes a record, read by itself or as a row of a list. */
export function writeRecord(
  resource: StoredResource,
  stored: Stored,
  choices: Choices,
  { isRow = false } = {},
): Values {
  const { revision, label } = stored;
  const isSummary = isRow && choices.rows === 'summary';
  const hasGuards = !isRow || choices.rowGuards === 'present';
  const guards = writeGuards(hasGuards ? { revision, label } : isSummary ? { label } : {}, choices);
  const data = isSummary ? {} : (writeValue(stored.data, notationOf(resource), choices) as Values);
  const times = isSummary ? {} : writeTimes(stored, choices);
  const status = resource === 'broadcasts' && !isSummary ? { status: 'draft' } : {};
  const identity = writeEvent(stored.identity, choices);
  if (choices.nesting === 'attributes')
    return { ...identity, attributes: { ...data, ...status, ...guards, ...times } };
  const nested = choices.nesting === 'data' ? (isSummary ? {} : { data }) : data;
  return { ...identity, ...guards, ...nested, ...status, ...times };
}

/** Writes a row of a list that only the service adds to. */
export const writeEvent = (event: Data, choices: Choices): Values =>
  Object.fromEntries(
    Object.entries(event).map(([name, value]) => [
      name,
      typeof value === 'string' ? writeId(value, choices) : value,
    ]),
  );
