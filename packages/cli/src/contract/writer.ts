import { randomUUID } from 'node:crypto';
import { findPlace, type Place } from '../answer-frames/find-place.ts';
import { getCode, isOutage } from './answers.ts';
import { findResultId, toOutcome } from './clean-scratch.ts';
import type { ContractAnswer } from './exchange.ts';
import { findGuards, findRecord } from './find-record.ts';
import { readRows } from './read-rows.ts';
import type { Scratch } from './scratch.ts';
import { type ScratchResource, scratchResources } from './scratch-file.ts';
import type { Sender } from './sender.ts';

type Fields = Readonly<Record<string, unknown>>;
type Guards = NonNullable<ReturnType<typeof findGuards>>;

/** A record that was read, and what a change of it has to send back. */
export interface ReadRecord {
  readonly answer: ContractAnswer;
  readonly record: Fields | undefined;
  readonly guards: Guards | undefined;
}

/** The answer to a change, and what sending it again takes. */
export interface Sent {
  readonly answer: ContractAnswer;
  readonly operationId: string;
  /** The id that its result names, or its list. */
  readonly id: string | undefined;
}

/** Writes records of a check: each request that may create one is recorded before it is sent. */
export class Writer {
  constructor(
    private readonly sender: Sender,
    private readonly scratch: Scratch,
    /** What the names of its records begin with. */
    private readonly marker: string,
  ) {}

  /** The name of a record. */
  toName(name: string): string {
    return `${this.marker} ${name}`;
  }

  /** Sends a change that creates a record, or may do so although it has to be refused. */
  async create(resource: ScratchResource, data: Fields, operationId: string = randomUUID()): Promise<Sent> {
    const body = { operationId, change: { action: `create-${resource}`, data } };
    this.sender.requireCreation(resource);
    const entry = await this.scratch.begin({ marker: this.marker, resource, body });
    const answer = await this.sender.send({ method: 'POST', path: '/chat/changes', body });
    const outcome = toOutcome(answer);
    await this.scratch.answer(entry, outcome);
    const code = answer.status === 409 && !isOutage(answer) ? getCode(answer) : undefined;
    if (code !== undefined && this.scratch.isConflict(entry)) await this.scratch.addConflictCode(code);
    const [named] = outcome.ids;
    if (named !== undefined || !outcome.isApplied) return { answer, operationId, id: named };
    // Not every server says in its result what it created.
    const hasId = ({ id }: Fields): boolean =>
      typeof id === 'string' && !this.scratch.isOfAnother(id, entry, outcome.isReplay);
    const id = await this.#findId(resource, String(data.name), hasId);
    if (id !== undefined) {
      await this.scratch.answer(entry, { ...outcome, ids: [id] });
      await this.scratch.show([id]);
    }
    return { answer, operationId, id };
  }

  /** The id of the record that a list has under a name, if `test` is true for its row; undefined if it shows none. */
  async #findId(
    resource: ScratchResource,
    name: string,
    test: (row: Fields) => boolean,
  ): Promise<string | undefined> {
    const hasName = ({ value }: Place): boolean => typeof value === 'string' && value.trim() === name.trim();
    const row = (await this.list(resource))?.find(
      (one) => findPlace(one, hasName) !== undefined && test(one),
    );
    return row?.id as string | undefined;
  }

  /** Sends a change of a record that it created. */
  async change(change: Fields, operationId: string = randomUUID()): Promise<Sent> {
    const answer = await this.sender.send({
      method: 'POST',
      path: '/chat/changes',
      body: { operationId, change },
    });
    return { answer, operationId, id: findResultId(answer) };
  }

  async read(resource: ScratchResource, id: string): Promise<ReadRecord> {
    const answer = await this.sender.send({ method: 'POST', path: '/chat/read', body: { resource, id } });
    const record = answer.status === 200 ? findRecord(answer.json, { id }) : undefined;
    if (record !== undefined) await this.scratch.show([id]);
    return { answer, record, guards: record && findGuards(record, resource) };
  }

  /** The rows of a list; undefined if it cannot be read. `readFirst` reads its first page, if it may be an older one. */
  async list(
    resource: ScratchResource,
    readFirst?: (resource: ScratchResource) => Promise<ContractAnswer>,
  ): Promise<readonly Fields[] | undefined> {
    const { rows, requests } = await readRows(
      (request) =>
        readFirst !== undefined && request.body?.offset === 0
          ? readFirst(resource)
          : this.sender.send(request),
      resource,
    );
    if (rows !== undefined) this.scratch.measureList(resource, requests);
    return rows;
  }

  /** Whether the lists can be read in which what it creates is looked for before it is removed. */
  async canRemove(readFirst: (resource: ScratchResource) => Promise<ContractAnswer>): Promise<boolean> {
    for (const resource of scratchResources)
      if (!this.scratch.isMeasured(resource) && (await this.list(resource, readFirst)) === undefined)
        return false;
    return true;
  }
}
