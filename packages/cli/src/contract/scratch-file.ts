import { isObject } from '@orgchat/spec/is-object';
import { invalidFileError, type RunStore } from './run-file.ts';

/** What a check creates. Nothing else of an organization is ever written. */
export const scratchResources = ['links', 'tags'] as const;
export type ScratchResource = (typeof scratchResources)[number];

/** A request that may have created a record. */
export interface ScratchEntry {
  readonly key: string;
  /** What the name of the record begins with. */
  readonly marker: string;
  readonly resource: ScratchResource;
  /** The request, which is sent again if its answer is not known. */
  readonly body: { readonly operationId: string; readonly change: Readonly<Record<string, unknown>> };
  readonly isAnswered: boolean;
  /** Whether it created a record as far as its answer says: also one that the answer does not name. */
  readonly isApplied: boolean;
  /** The records that it is known to have created. */
  readonly ids: readonly string[];
  /** Whether what it created was removed before its answer was known. */
  readonly isSeen?: boolean;
  /** When its last answer came, in milliseconds since 1970. */
  readonly answeredAt?: number;
}

/** The content of the file. */
export interface ScratchFile {
  readonly scratch: 1;
  readonly entries: readonly ScratchEntry[];
  /** Codes with which the server refused another input for the id of a request that it had applied. */
  readonly conflictCodes: readonly string[];
  /** Ids of records that a list or a read has shown: if the server does not find them, they are gone. */
  readonly shown?: readonly string[];
}

const areTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((text) => typeof text === 'string');

const isEntry = (value: unknown): value is ScratchEntry =>
  isObject(value) &&
  [value.key, value.marker].every((text) => typeof text === 'string' && text !== '') &&
  scratchResources.some((resource) => resource === value.resource) &&
  isObject(value.body) &&
  typeof value.isAnswered === 'boolean' &&
  typeof value.isApplied === 'boolean' &&
  areTexts(value.ids) &&
  ['undefined', 'boolean'].includes(typeof value.isSeen) &&
  ['undefined', 'number'].includes(typeof value.answeredAt);

const isScratchFile = (value: unknown): value is ScratchFile =>
  isObject(value) &&
  value.scratch === 1 &&
  Array.isArray(value.entries) &&
  value.entries.every(isEntry) &&
  areTexts(value.conflictCodes) &&
  (value.shown === undefined || areTexts(value.shown));

/** Reads the file, if there is one. Throws if it is not one of these. */
export async function readScratchFile(store: RunStore, name: string): Promise<ScratchFile | undefined> {
  const found = await store.read(name);
  if (found === undefined || isScratchFile(found)) return found;
  throw invalidFileError(
    store.toPath(name),
    'It names the records that a check has created: look at it first.',
  );
}
