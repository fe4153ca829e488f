import { randomUUID } from 'node:crypto';
import { checkInput, InvalidInput, type Notation } from './check-input.ts';
import { bodies } from './inputs.ts';
import {
  applyChange,
  type Change,
  type Data,
  type Effect,
  type EventResource,
  type Organization,
  Refusal,
  type Stored,
  type StoredResource,
} from './organization.ts';

/** An answer as it is sent. */
export interface Answer {
  readonly status: number;
  /** JSON, or text as it is. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the specification does not show: how records, lists, results and errors are written. */
export interface Presentation {
  list(resource: string, matches: readonly (Stored | Data)[], query: Data): unknown;
  one(resource: StoredResource, record: Stored): unknown;
  /** With undefined, the answer has no `result`. */
  result(action: string, effect: Effect): unknown;
  error(refusal: Refusal): Answer;
}

export const keys = { write: 'family-write-key', read: 'family-read-key' } as const;

/** One organization behind the endpoints of the specification. */
export class Service {
  /** Each change that was asked for, and whether it was applied. */
  readonly changes: { readonly action: string; applied: boolean }[] = [];
  /** The number of next requests that are answered 429. */
  limited = 0;
  readonly #operations = new Map<unknown, { readonly input: string; readonly effect: Effect }>();

  constructor(
    readonly organization: Organization,
    readonly presentation: Presentation,
  ) {}

  answer(method: string, path: string, key: string, text: string): Answer {
    try {
      return this.#route(method, path, key, text);
    } catch (error) {
      if (error instanceof Refusal) return this.presentation.error(error);
      if (!(error instanceof InvalidInput) && !(error instanceof SyntaxError)) throw error;
      return this.presentation.error(new Refusal(400, 'invalidInput', error.message));
    }
  }

  #route(method: string, path: string, key: string, text: string): Answer {
    if (key !== keys.write && key !== keys.read) throw new Refusal(401, 'unauthorized', 'Unknown key.');
    if (this.limited-- > 0) throw new Refusal(429, 'rateLimited', 'Too many requests.');
    this.limited = 0;
    const isWrite = /^\/(?:chat\/changes|sites\/)/.test(path);
    if (isWrite && key === keys.read) throw new Refusal(403, 'forbidden', 'The key cannot write.');
    const parse = (body: Notation): Data => checkInput(JSON.parse(text), body) as Data;
    const route = `${method} ${path}`;
    if (route === 'GET /me') return { status: 200, body: this.#account(key) };
    if (route === 'POST /chat/read') return { status: 200, body: this.#read(parse(bodies.read)) };
    if (route === 'POST /chat/changes') return { status: 200, body: this.#change(parse(bodies.change)) };
    if (route === 'POST /studio/read') return { status: 200, body: this.#studio(parse(bodies.studio)) };
    if (route !== 'POST /sites/site/keywords') throw new Refusal(404, 'notFound', 'No such path.');
    return { status: 201, body: this.#addKeywords(parse(bodies.keywords).keywords as string[]) };
  }

  #account(key: string): object {
    const scope = key === keys.write ? 'write' : 'read';
    const credits = { allowance: 500, used: 20, remaining: 480, resetsAt: '2027-01-01T00:00:00Z' };
    const api = { used: 100, limit: 100_000, perMinute: 60 };
    return { organizationId: 'org_family', key: { name: 'Family', scope }, plan: 'business', credits, api };
  }

  #read(query: Data): unknown {
    const { records, events } = this.organization;
    const resource = query.resource as StoredResource | EventResource;
    const isMatch = (record: Data, names: readonly string[]): boolean =>
      names.every((name) => query[name] === undefined || record[name] === query[name]);
    if (!(resource in records)) {
      const parent = { 'form-submissions': 'formId', 'link-clicks': 'linkId' }[resource as string];
      const isOf = (event: Data): boolean =>
        parent === undefined ? isMatch(event, ['accountId', 'userId']) : event[parent] === query.id;
      return this.presentation.list(resource, events[resource as EventResource].filter(isOf), query);
    }
    const all = records[resource as StoredResource];
    const found = all.filter(({ identity }) => isMatch(identity, ['id', 'accountId', 'userId']));
    const isOne = query.id !== undefined || (query.accountId !== undefined && query.userId !== undefined);
    if (!isOne) return this.presentation.list(resource, found, query);
    if (found[0] === undefined) throw new Refusal(404, 'notFound', 'The record does not exist.');
    return this.presentation.one(resource as StoredResource, found[0]);
  }

  #change({ operationId, change }: Data): object {
    const { action } = change as Change;
    const received = { action, applied: false };
    this.changes.push(received);
    const input = JSON.stringify(change);
    const earlier = this.#operations.get(operationId);
    if (earlier !== undefined && earlier.input !== input)
      throw new Refusal(409, 'inputConflict', 'The operationId was used with another input.');
    const effect = earlier?.effect ?? applyChange(this.organization, change as Change, randomUUID());
    received.applied = earlier === undefined;
    this.#operations.set(operationId, { input, effect });
    const result = this.presentation.result(action, effect);
    return { ok: true, applied: true, replayed: earlier !== undefined, auditRecorded: true, result };
  }

  #studio(query: Data): object {
    const { projects, documents } = this.organization;
    if (query.resource === 'projects') return { projects, total: projects.length, next: null };
    const project = projects.find(({ id }) => id === query.projectId);
    const own = documents.filter(({ projectId }) => projectId === query.projectId);
    if (project === undefined) throw new Refusal(404, 'notFound', 'The project does not exist.');
    if (query.resource === 'documents') {
      const rows = own.map(({ id, title, kind, updatedAt }) => ({ id, title, kind, updatedAt }));
      return { project, documents: rows, total: rows.length, next: null };
    }
    const document = own.find(({ id }) => id === query.documentId);
    if (document === undefined) throw new Refusal(404, 'notFound', 'The document does not exist.');
    return { project, document };
  }

  #addKeywords(given: readonly string[]): object {
    const { keywords } = this.organization;
    const skipped = given.filter((word, at) => keywords.includes(word) || given.indexOf(word) < at);
    const added = [...new Set(given.filter((word) => !keywords.includes(word)))];
    keywords.push(...added);
    return { added, skipped };
  }
}
