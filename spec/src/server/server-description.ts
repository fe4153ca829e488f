import { type CodesOption, resolveCodes, type ServerCodes } from '../errors/resolve-codes.ts';
import { configurationResources, readableResources } from '../resources/names.ts';

/**
 * Where something is in an answer or in a record: a JSON pointer (RFC 6901), such as `/records/0`. The empty text is the
 * whole.
 */
export type JsonPointer = '' | `/${string}`;

/** How a server frames the answer to reading a list. */
export interface ListShape {
  /** Where the records are. Default `/records`. */
  readonly records?: JsonPointer | undefined;
  /** Where the number of all records is; null if the server does not say. Default `/total`. */
  readonly total?: JsonPointer | null | undefined;
  /** Where it says whether more records exist; null if it does not. Default `/limited`. */
  readonly limited?: JsonPointer | null | undefined;
  /** Which record comes first. Default `newest`. */
  readonly order?: 'newest' | 'oldest' | 'unknown' | undefined;
}

/** How a server frames a record that can be changed: pointers into the record. */
export interface RecordShape {
  /** Default `/revision`. */
  readonly revision?: JsonPointer | undefined;
  /** Default `/label`. */
  readonly label?: JsonPointer | undefined;
  /** Of configurations and friends: the object that holds the data fields. Default: the record itself. */
  readonly data?: JsonPointer | undefined;
  /** Of configurations and friends: where fields are that have another name or place, by the name of the contract. */
  readonly rename?: { readonly [field: string]: JsonPointer } | undefined;
}

/** How rows of lists differ from the record that is read by its id. */
export interface RowShape {
  /** False if rows have no revision and no label. */
  readonly guards?: boolean | undefined;
  /** False if rows are summaries, without some of the data. */
  readonly data?: boolean | undefined;
}

/** How the answers about one resource differ from those about the others. */
export interface ResourceShape {
  readonly list?: ListShape | undefined;
  readonly one?: JsonPointer | undefined;
  readonly record?: RecordShape | undefined;
  readonly row?: RowShape | undefined;
}

/**
 * What the `result` of a change has: a pointer to the record in it; the names of its fields, if it is not a record; or
 * null if there is none. If it is not a record, the record is read once.
 */
export type ResultShape = JsonPointer | readonly string[] | null;

/** The statuses of a change that a server may refuse by a rule of its own. */
export const refusalStatuses = [400, 404, 409] as const;

/** How a server refuses a change by a rule of its own. */
export interface RefusalShape {
  readonly status: (typeof refusalStatuses)[number];
  readonly code: string;
}

/** The kinds of changes whose results have one shape. */
export const resultKinds = ['create', 'update', 'delete', 'friend', 'enroll'] as const;

/**
 * Describes what the contract does not show of a server: its error codes, and how it frames records. What it does not
 * say is as the decisions of this toolkit say (spec/DECISIONS.md). It is plain data, so it can be a YAML or JSON file.
 *
 * @example
 * const server: ServerDescription = {
 *   server: 1,
 *   codes: { staleRevision: 'version_mismatch' },
 *   shapes: { one: '/records/0', record: { data: '/data' } },
 *   limits: { pageSize: 20 },
 * };
 * createClient({ server });
 */
export interface ServerDescription {
  /** The format of the description. */
  readonly server: 1;
  /** The version of the contract. */
  readonly contract?: string | undefined;
  /** When, and against which organization (a digest), it was checked. */
  readonly checked?:
    | {
        readonly at?: string | undefined;
        readonly organization?: string | undefined;
        readonly requests?: number | undefined;
      }
    | undefined;
  /** The error codes of the server, by meaning. */
  readonly codes?: CodesOption | undefined;
  /** How answers to reads of messaging data, and results of changes, are framed. */
  readonly shapes?:
    | {
        readonly list?: ListShape | undefined;
        /** Where the record is in the answer to reading one. Default `/record`. */
        readonly one?: JsonPointer | undefined;
        readonly record?: RecordShape | undefined;
        readonly row?: RowShape | undefined;
        readonly resources?:
          | { readonly [R in (typeof readableResources)[number]]?: ResourceShape | undefined }
          | undefined;
        readonly result?:
          | { readonly [K in (typeof resultKinds)[number]]?: ResultShape | undefined }
          | undefined;
      }
    | undefined;
  /** The limits of the server that differ from those of the contract. */
  readonly limits?:
    | {
        /** The most records that a page has. */
        readonly pageSize?: number | undefined;
        /** Requests per minute and key: the default of the pacing. */
        readonly perMinute?: number | undefined;
        /** How the header `Retry-After` is written. */
        readonly retryAfter?: 'seconds' | 'date' | 'none' | undefined;
      }
    | undefined;
  /** How the server behaves where the contract leaves it open; for the mock server. */
  readonly behavior?:
    | {
        /** What of two changes is the same input. Default `input`: in any order of fields, trimmed (D69). */
        readonly replayCompares?: 'input' | 'bytes' | undefined;
        /** Whether the id of a refused change may be used for another one. Default true (D71). */
        readonly refusedIdIsFree?: boolean | undefined;
        /** What a change is answered whose name another record of the resource has. Default `accepted` (D23). */
        readonly duplicateNames?: 'accepted' | RefusalShape | undefined;
        /** What a change is answered that refers to no existing record. Default: 404, as a record that is not found (D62). */
        readonly unknownReference?: 'accepted' | RefusalShape | undefined;
        /** What happens to references to a deleted record. Default `keep` (D63). */
        readonly onDelete?: 'keep' | 'remove' | 'refuse' | undefined;
        /** Whether answers to what succeeded have `X-Request-Id`. Default true (D78). */
        readonly requestIdOn2xx?: boolean | undefined;
        /** Whether text is stored without the white space around it. Default true (D16). */
        readonly trims?: boolean | undefined;
        /** Whether date-times have milliseconds, or whole seconds. Default `ms` (D20). */
        readonly dates?: 'ms' | 's' | undefined;
      }
    | undefined;
  /** Meanings of codes that are not known of this server, for people. */
  readonly unknown?: readonly string[] | undefined;
}

/** A description with the codes of every meaning, or one sentence that says what is wrong with it. */
export type ResolvedServer =
  | {
      readonly server: ServerDescription;
      readonly codes: ServerCodes;
      readonly problem?: undefined;
    }
  | { readonly server?: undefined; readonly codes?: undefined; readonly problem: string };

const format = 1;

type Check = (value: unknown, path: string) => string | undefined;

function show(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A check that accepts only values for which `test` is true. */
const expects =
  (what: string, test: (value: unknown) => boolean): Check =>
  (value, path) =>
    test(value) ? undefined : `${path} must be ${what}; got ${show(value)}.`;

const oneOf = (...values: readonly string[]): Check =>
  expects(`one of ${values.join(', ')}`, (value) => values.includes(`${value}`) && typeof value === 'string');

const isPointer = (value: unknown): boolean =>
  typeof value === 'string' && /^(\/([^~/]|~[01])*)*$/.test(value);

const pointer = expects('a JSON pointer such as /records/0', isPointer);
/** A pointer to a part: the whole cannot be it. */
const isPart = (value: unknown): boolean => value !== '' && isPointer(value);
const pointerOrNull = expects(
  'a JSON pointer to a part of the answer such as /total, or null',
  (value) => value === null || isPart(value),
);
const field = expects('a JSON pointer to a part of the record, such as /created_at', isPart);
const flag = expects('true or false', (value) => typeof value === 'boolean');
const text = expects('text', (value) => typeof value === 'string' && value.trim() !== '');
const count = expects(
  'a whole number, 1 or greater',
  (value) => Number.isInteger(value) && Number(value) >= 1,
);
const anything: Check = () => undefined;
const texts = expects(
  'a list of text',
  (value) => Array.isArray(value) && Array.from(value).every((item) => typeof item === 'string'),
);
const result = expects(
  'a JSON pointer, a list of field names, or null',
  (value) => value === null || isPointer(value) || (Array.isArray(value) && texts(value, '') === undefined),
);

/** A check of an object that has no other fields than these. */
const fields =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value, path) => {
    const where = path === '' ? 'the description' : path;
    if (!isPlain(value)) return `${where} must be an object; got ${show(value)}.`;
    for (const [name, item] of Object.entries(value)) {
      const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
      if (check === undefined)
        return `${where} has an unknown key ${show(name)}. Known keys: ${Object.keys(checks).join(', ')}.`;
      // A key without a value, as in JavaScript and YAML, says nothing.
      const problem = item === undefined ? undefined : check(item, path === '' ? name : `${path}.${name}`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };

/** A check of an object whose fields have any name. */
const each =
  (check: Check): Check =>
  (value, path) =>
    isPlain(value)
      ? fields(Object.fromEntries(Object.keys(value).map((name) => [name, check])))(value, path)
      : `${path} must be an object; got ${show(value)}.`;

const resource = {
  list: fields({
    records: expects('a JSON pointer to a part of the answer, such as /items', isPart),
    total: pointerOrNull,
    limited: pointerOrNull,
    order: oneOf('newest', 'oldest', 'unknown'),
  }),
  one: pointer,
  record: fields({ revision: field, label: field, data: pointer, rename: each(field) }),
  row: fields({ guards: flag, data: flag }),
};
/** The contract gives their records no data and no guards, so only their frames can be described. */
const withoutData = { list: resource.list };
const changeable: readonly string[] = [...configurationResources, 'friends'];

const refusal: Check = (value, path) => {
  const { status, code, ...rest } = Object(value) as { readonly [name: string]: unknown };
  const isRefusal =
    refusalStatuses.some((one) => one === status) && typeof code === 'string' && code.trim() !== '';
  return value === 'accepted' || (isRefusal && Object.keys(rest).length === 0)
    ? undefined
    : `${path} must be accepted, or { status, code } with one of the statuses ${refusalStatuses.join(', ')}; got ${show(value)}.`;
};

const checkDescription = fields({
  server: anything,
  contract: text,
  checked: fields({ at: anything, organization: text, requests: anything }),
  codes: anything,
  shapes: fields({
    ...resource,
    resources: fields(
      Object.fromEntries(
        readableResources.map((name) => [name, fields(changeable.includes(name) ? resource : withoutData)]),
      ),
    ),
    result: fields(Object.fromEntries(resultKinds.map((kind) => [kind, result]))),
  }),
  limits: fields({ pageSize: count, perMinute: count, retryAfter: oneOf('seconds', 'date', 'none') }),
  behavior: fields({
    replayCompares: oneOf('input', 'bytes'),
    refusedIdIsFree: flag,
    duplicateNames: refusal,
    unknownReference: refusal,
    onDelete: oneOf('keep', 'remove', 'refuse'),
    requestIdOn2xx: flag,
    trims: flag,
    dates: oneOf('ms', 's'),
  }),
  unknown: texts,
});

/** Checks a description, and resolves its codes to the codes of every meaning. `given` is undefined without one. */
export function resolveServer(given: unknown = { server: format }): ResolvedServer {
  const version: unknown = isPlain(given) ? given.server : undefined;
  if (typeof version === 'number' && version > format)
    return {
      problem: `server: format ${version} is newer than format ${format}, which this version reads. Install a newer version of @orgchat/sdk and @orgchat/cli.`,
    };
  if (isPlain(given) && version !== format)
    return { problem: `server must be ${format}, the format of the description; got ${show(version)}.` };
  const problem = checkDescription(given, '');
  if (problem !== undefined) return { problem };
  const server = given as ServerDescription;
  const { codes, problem: codesProblem } = resolveCodes(server.codes);
  if (codes === undefined) return { problem: codesProblem };
  return { server, codes };
}
