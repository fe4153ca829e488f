import { sha256 } from '../digest.ts';

/** A record as it is read, without its revision, which follows from the rest. */
export type Fields = Readonly<Record<string, unknown>>;

const opening = '"revision":"';
const revisionLength = 64;

/** Where the revision is in the JSON of a record. Only identifiers stand before it, so the first match is the field. */
const placeIn = (json: string): number => json.indexOf(opening) + opening.length;

/**
 * One state of one stored record. A change makes a new entry and leaves this one as it was, so entries are shared
 * between the forks of a world. The JSON, with the revision in it, is made when first asked for, once; a loader asks at
 * once, so that no request pays for it. The revision is kept nowhere else.
 */
export class Entry {
  /** The place in the order of creation, within its collection. */
  readonly sequence: number;
  /** The number of the account the record belongs to; 0 where it belongs to all. */
  readonly account: number;
  /** Counts the states of the record from 1; part of the revision, so that no earlier one returns. */
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

  /** The record as it is answered, revision included where the record has one. */
  get json(): string {
    return this.#json ?? this.#seal();
  }

  /** SHA-256 over the record and its version; empty for a record without one. */
  get revision(): string {
    if (this.fields.revision === undefined) return '';
    const { json } = this;
    const at = placeIn(json);
    return json.slice(at, at + revisionLength);
  }

  get label(): string {
    return this.fields.label as string;
  }

  #seal(): string {
    const text = JSON.stringify(this.fields);
    if (this.fields.revision === undefined) {
      this.#json = text;
      return text;
    }
    const at = placeIn(text);
    // Joined, because a string put together with + stays in pieces that every later answer has to walk.
    this.#json = [text.slice(0, at), sha256(`${this.version}:${text}`), text.slice(at)].join('');
    return this.#json;
  }
}
