import { sha256 } from '../digest.ts';

/** A record as it is read, without its revision, which follows from the rest. */
export type Fields = Readonly<Record<string, unknown>>;

const placeholder = '"revision":""';

/**
 * One state of one stored record. A change makes a new entry and leaves this one as it was, so entries are shared
 * between the forks of a world. JSON and revision are made when first asked for, once; a loader asks at once, so
 * that no request pays for it.
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
  #revision = '';

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
    if (this.#json === undefined) this.#seal();
    return this.#revision;
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
    this.#revision = sha256(`${this.version}:${text}`);
    // Only identifiers stand before the revision, so the first match is the field itself.
    const at = text.indexOf(placeholder) + placeholder.length - 1;
    // Joined, because a string put together with + stays in pieces that every later answer has to walk.
    this.#json = [text.slice(0, at), this.#revision, text.slice(at)].join('');
    return this.#json;
  }
}
