import { deepStrictEqual } from 'node:assert/strict';
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createMock, type Mock } from '@orgchat/mock-server';
import { answer, type ExpectedAnswer, type ModelRequest } from './model-answer.ts';
import { type Limits, type ModelState, ModelWorld } from './model-world.ts';
import { type Json, resources } from './resources.ts';
import { keys, seed, start } from './seed.ts';
import type { ServerValues } from './server-values.ts';

/** A world of the server and its counterpart in the model. */
export interface Pair {
  mock: Mock;
  /** A sandbox is called through the mock that created it, by its address. */
  fetch: typeof fetch;
  readonly model: ModelWorld;
  /** The state after a reset. */
  origin: ModelState;
  readonly isSandbox: boolean;
  readonly seen: Counts;
}

/** Counts how often something happened. */
export type Counts = Map<string, number>;

export const countOne = (counts: Counts, what: string): Counts =>
  counts.set(what, (counts.get(what) ?? 0) + 1);

/** A change that was sent, with any outcome. */
export interface SentChange {
  readonly operationId: string;
  readonly change: Json;
}

/** One run: its worlds, and the changes that were sent to them. */
export class Session {
  readonly pairs: Pair[] = [];
  readonly sent: SentChange[] = [];
  /** The previous revision of each record. */
  readonly past = new Map<string, string>();
  readonly limits: Limits;
  /** Counts of the answers. */
  readonly seen: Counts;
  readonly #folder: string | undefined;
  #files = 0;
  #operations = 0;
  #gate = Promise.resolve();
  #open = (): void => {};

  /** The first mock stores its data in `folder`, or in memory if it is undefined. */
  constructor(limits: Limits, seen: Counts, folder?: string) {
    this.limits = limits;
    this.seen = seen;
    this.#folder = folder;
    const mock = this.createMock({ seed }, this.#dataFile());
    const model = ModelWorld.ofSeed(limits);
    learnRevisions(model);
    const fetch = mock.fetch;
    this.pairs.push({ mock, fetch, model, origin: model.save(), isSandbox: false, seen });
  }

  get durable(): boolean {
    return this.#folder !== undefined;
  }

  #dataFile(): string | undefined {
    return this.#folder && join(this.#folder, `${this.#files}.data`);
  }

  /** Creates a mock from what a crash at this moment would leave: the data file and its log. */
  async crash(mock: Mock): Promise<Mock> {
    // Changes by methods are written before the next answer, except for that of the health.
    await mock.fetch(`${mock.controlUrl}/clock`);
    const before = this.#dataFile() ?? '';
    this.#files++;
    const after = this.#dataFile() ?? '';
    for (const part of ['', '-wal']) if (existsSync(before + part)) copyFileSync(before + part, after + part);
    mock.close();
    return this.createMock({ seed }, after);
  }

  createMock(begin: { seed: typeof seed } | { state: unknown }, data?: string): Mock {
    return createMock({
      ...begin,
      ...(data !== undefined && { data }),
      rateLimit: this.limits.perMinute ?? 'off',
      monthlyLimit: this.limits.monthly ?? 'off',
      now: () => start,
      sleep: () => this.#gate,
    });
  }

  /** Holds delayed answers back until the returned function is called. */
  hold(): () => void {
    this.#gate = new Promise((resolve) => {
      this.#open = resolve;
    });
    return () => this.#open();
  }

  nextOperationId(): string {
    return `abcdef00-0000-4000-8000-${(++this.#operations).toString(16).padStart(12, '0')}`;
  }
}

/** The server also chooses the first revisions. They are read from a separate server. */
function learnRevisions(model: ModelWorld): void {
  const state = firstRevisions();
  for (const row of model.database.record.getAll()) {
    const revision = state.get(row.id) ?? '';
    model.database.record.update({ where: { id: { equals: row.id } }, data: { revision } });
    model.database.token.create({ token: row.id });
    model.database.token.create({ token: revision });
  }
  for (const { id } of model.database.friend.getAll()) {
    const revision = state.get(id) ?? '';
    model.database.friend.update({ where: { id: { equals: id } }, data: { revision } });
    model.database.token.create({ token: revision });
  }
}

let known: ReadonlyMap<string, string> | undefined;

/** Read once from a separate server, because the same seed has the same revisions. */
export async function readFirstRevisions(): Promise<void> {
  const mock = createMock({ seed, now: () => start, rateLimit: 'off' });
  const found = new Map<string, string>();
  for (const resource of [...resources, 'friends']) {
    const request = { headers: { authorization: `Bearer ${keys.writer}` }, method: 'POST' };
    const response = await mock.fetch(`${mock.baseUrl}/chat/read`, {
      ...request,
      body: JSON.stringify({ resource }),
    });
    const { records } = (await response.json()) as { records: Record<string, string>[] };
    for (const { id, accountId, userId, revision = '' } of records)
      found.set(id ?? `${accountId}/${userId}`, revision);
  }
  known = found;
}

function firstRevisions(): ReadonlyMap<string, string> {
  if (known === undefined) throw new Error('Call readFirstRevisions() before the first session');
  return known;
}

export function send({ mock, fetch }: Pair, { operation, key, site, body }: ModelRequest): Promise<Response> {
  const path = {
    me: '/me',
    keywords: `/sites/${encodeURIComponent(site ?? '')}/keywords`,
    read: '/chat/read',
    change: '/chat/changes',
  }[operation];
  const headers = { authorization: `Bearer ${key}` };
  const init = operation === 'me' ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
  return fetch(`${mock.baseUrl}${path}`, init);
}

/** Ids and revisions in the answer to a change. */
export const getServerValues = (body: Json): ServerValues | undefined =>
  body.result as ServerValues | undefined;

/** Compares an answer with that of the model. */
export async function hold(
  pair: Pair,
  asked: ModelRequest,
  response: Response,
  expected: ExpectedAnswer,
): Promise<void> {
  const body = (await response.json()) as Json;
  const { error, message, replayed } = body;
  countOne(pair.seen, String(error ?? (replayed ? 'replayed' : response.status)));
  const retryAfter = response.headers.get('retry-after') ?? undefined;
  const given =
    response.status < 400
      ? { status: response.status, body }
      : { status: response.status, error, ...(retryAfter !== undefined && { retryAfter }) };
  deepStrictEqual(
    given,
    JSON.parse(JSON.stringify(expected)),
    `${JSON.stringify(asked)} ${String(message ?? '')}`,
  );
}

/** Sends a request to both and compares the answers. */
export async function exchange(pair: Pair, asked: ModelRequest): Promise<ExpectedAnswer> {
  const response = await send(pair, asked);
  const expected = answer(pair.model, asked, getServerValues((await response.clone().json()) as Json));
  await hold(pair, asked, response, expected);
  return expected;
}

export const reading = (body: Json, key: string = keys.writer): ModelRequest => ({
  operation: 'read',
  key,
  body,
  valid: true,
});
