import { sha256 } from '../primitives/platform.ts';

/** The fields of a record, without its revision, which is computed from the rest. */
export type Fields = Readonly<Record<string, unknown>>;

const revisionPrefix = '"revision":"';
const revisionLength = 64;

/** The position of the revision in the JSON of a record. Only identifiers precede it, so the first match is the field. */
const findRevision = (json: string): number => json.indexOf(revisionPrefix) + revisionPrefix.length;

/**
 * One version of one stored record. A change creates a new entry, so entries are immutable and shared between the forks
 * of a world. The JSON, which contains the revision, is computed on first use and cached; loaders compute it at once. The
 * revision is stored nowhere else.
 */
export class Entry {
  /** The position in the order of creation within its collection. */
  readonly sequence: number;
  /** The number of the account that the record belongs to; 0 if it belongs to all. */
  readonly account: number;
  /** The version of the record, from 1. Part of the revision, so that an earlier revision never returns. */
  readonly version: number;
  /** The key of the record in its collection. */
  readonly id: string;
  readonly fields: Fields;
  #json: string | undefined;

  constructor(sequence: number, account: number, version: number, id: string, fields: Fields) {
    this.sequence = sequence;
    this.account = account;
    this.version = version;
    this.id = id;
    this.fields = fields;
  }

  /** The JSON of the record in answers, with its revision if it has one. */
  get json(): string {
    return this.#json ?? this.#computeJson();
  }

  /** SHA-256 of the record and its version; empty for a record without a revision. */
  get revision(): string {
    if (this.fields.revision === undefined) return '';
    const { json } = this;
    const at = findRevision(json);
    return json.slice(at, at + revisionLength);
  }

  get label(): string {
    return this.fields.label as string;
  }

  #computeJson(): string {
    const text = JSON.stringify(this.fields);
    if (this.fields.revision === undefined) {
      this.#json = text;
      return text;
    }
    const at = findRevision(text);
    // Array.join() makes a flat string; one built with + is a tree that every later answer has to walk.
    this.#json = [text.slice(0, at), sha256(`${this.version}:${text}`), text.slice(at)].join('');
    return this.#json;
  }
}
