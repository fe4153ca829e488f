import {
  type ChangeChatInput,
  type ChatReadInput,
  createShapeResolver,
  getFieldPointer,
  getIdentityFields,
  isChangeable,
  isObject,
  type ReadableResource,
  type ServerDescription,
} from '@orgchat/spec';
import { writePointer } from './write-pointer.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A request whose answer is written. */
type Answered =
  | { readonly endpoint: 'readChat'; readonly input: ChatReadInput }
  | { readonly endpoint: 'changeChat'; readonly input: ChangeChatInput }
  | { readonly endpoint: 'getAccount' | 'addSeoKeywords' | 'readStudio' };

/** Writes an answer as the described server does, from the answer that the decisions say. */
export type WriteAnswer = (request: Answered, body: string) => string;

type ResultKind = keyof NonNullable<NonNullable<ServerDescription['shapes']>['result']>;

/** The kind of a change whose results have one shape, and the resource of a record in its result. */
function toResultKind({ change }: ChangeChatInput): { kind: ResultKind; resource?: ReadableResource } {
  const { action } = change;
  if (action === 'delete-configuration') return { kind: 'delete' };
  if (action === 'enroll-scenario') return { kind: 'enroll', resource: 'friend-automations' };
  if (action === 'update-friend' || action === 'set-friend-tags')
    return { kind: 'friend', resource: 'friends' };
  const resource = action.replace(/^(create|update)-/, '') as ReadableResource;
  return { kind: action.startsWith('create-') ? 'create' : 'update', resource };
}

/** The times of records, of the account and of Studio. Others are in what users wrote. */
const timeFields: readonly string[] = [
  'createdAt',
  'updatedAt',
  'lastMessageAt',
  'sentAt',
  'submittedAt',
  'enrolledAt',
  'clickedAt',
  'resetsAt',
];

const mapFields = (fields: Fields, map: (value: unknown, name: string) => unknown): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(value, name)]));

const toWholeSeconds = (fields: Fields): Fields =>
  mapFields(fields, (value, name) =>
    timeFields.includes(name) && typeof value === 'string' ? value.replace(/\.\d{3}Z$/, 'Z') : value,
  );

/** Creates what writes answers; undefined if the description says nothing about them. */
export function createWriteAnswer({ shapes, behavior }: ServerDescription): WriteAnswer | undefined {
  if (shapes === undefined && behavior?.dates !== 's') return undefined;
  const shapeOf = createShapeResolver(shapes ?? {});
  const writeTimes = behavior?.dates === 's' ? toWholeSeconds : (fields: Fields): Fields => fields;

  function writeRecord(resource: ReadableResource, stored: Fields, isRow = false): unknown {
    const record = writeTimes(stored);
    if (!isChangeable(resource)) return record;
    const { record: places, row } = shapeOf(resource);
    const identity = getIdentityFields(resource);
    const isWritten = (name: string): boolean => {
      if (!isRow || identity.includes(name)) return true;
      if (name === 'revision') return row.guards;
      // Nobody could recognize a summary without its label.
      if (name === 'label') return row.guards || !row.data;
      return row.data;
    };
    let written: unknown = {};
    // An object without fields is one, too.
    if (places.data !== '' && (row.data || !isRow)) written = writePointer(written, places.data, {});
    for (const [name, value] of Object.entries(record))
      if (isWritten(name)) written = writePointer(written, getFieldPointer(resource, places, name), value);
    return written;
  }

  function writeList(resource: ReadableResource, answer: Fields): unknown {
    const { list } = shapeOf(resource);
    const rows = answer.records as readonly Fields[];
    const signals = { total: list.total, limited: list.limited };
    const records = rows.map((row) => writeRecord(resource, row, true));
    let written = writePointer({}, list.records, records);
    for (const [name, pointer] of Object.entries(signals))
      if (pointer !== null) written = writePointer(written, pointer, answer[name]);
    return written;
  }

  function writeResult(input: ChangeChatInput, { result, ...answer }: Fields): Fields {
    const { kind, resource } = toResultKind(input);
    const shape = shapes?.result?.[kind];
    if (shape === null) return answer;
    const stored = writeTimes(result as Fields);
    if (Array.isArray(shape)) {
      const picked = shape.filter((name) => name in stored).map((name) => [name, stored[name]]);
      return { ...answer, result: Object.fromEntries(picked) as Fields };
    }
    const written = resource === undefined ? stored : writeRecord(resource, stored);
    return { ...answer, result: typeof shape === 'string' ? writePointer({}, shape, written) : written };
  }

  function write(request: Answered, answer: Fields): unknown {
    if (request.endpoint === 'changeChat') return writeResult(request.input, answer);
    if (request.endpoint !== 'readChat')
      return mapFields(writeTimes(answer), (value) =>
        Array.isArray(value)
          ? value.map((one: unknown) => (isObject(one) ? writeTimes(one) : one))
          : isObject(value)
            ? writeTimes(value)
            : value,
      );
    const { resource } = request.input;
    if (answer.records !== undefined) return writeList(resource, answer);
    return writePointer(undefined, shapeOf(resource).one, writeRecord(resource, answer.record as Fields));
  }

  return (request, body) => JSON.stringify(write(request, JSON.parse(body) as Fields));
}
