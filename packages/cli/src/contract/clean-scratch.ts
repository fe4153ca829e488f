import { randomUUID } from 'node:crypto';
import { toComparableId } from '@orgchat/sdk/internal';
import { refusalStatuses } from '@orgchat/spec';
import { findPlace, isNamed } from '../answer-frames/find-place.ts';
import { getCode, isDenied, isErrorDocument, isOutage } from './answers.ts';
import type { ContractAnswer, ContractRequest } from './exchange.ts';
import type { Frame } from './find-frame.ts';
import { findGuards, findRecord } from './find-record.ts';
import { type ReadList, readRows } from './read-rows.ts';
import type { ListedRecord, Outcome, Scratch } from './scratch.ts';
import { type ScratchEntry, type ScratchResource, scratchResources } from './scratch-file.ts';

type Send = (request: ContractRequest) => Promise<ContractAnswer>;

/** How what is left is removed. */
export interface Cleaner {
  send: Send;
  /** Whether so many requests may be sent. */
  canSend(count: number): boolean;
  /** Called with the id of each record that is gone, also if the clean-up ends early. */
  onRemoved?(id: string): void;
  /** Whether a record is forgotten that neither an answer nor a list has shown for long enough. */
  readonly forgetsUnseen?: boolean;
}

/** The name of a record, or of a row, that a check wrote; undefined if it has none. */
const findMarked = (record: unknown, marker: string): string | undefined =>
  (
    findPlace(record, ({ value }) => typeof value === 'string' && value.trim().startsWith(marker))
      ?.value as string
  )?.trim();

/** The id of the record that an answer to a change is about; undefined if it has none. */
export function findResultId({ status, json }: ContractAnswer): string | undefined {
  const { result } = Object(json) as { readonly result?: unknown };
  const found = findPlace(result, (place) => isNamed(place, 'id') && typeof place.value === 'string');
  return status === 200 ? (found?.value as string | undefined) : undefined;
}

/** Statuses with which a server refuses a request that it got. What is in between may answer with another one. */
const refusals: readonly number[] = [...refusalStatuses, 401, 403];

const isRefusal = (answer: ContractAnswer): boolean => refusals.includes(answer.status) && !isOutage(answer);

/** What an answer says about a request that may create something, and that was not sent before. */
export function toOutcome(answer: ContractAnswer): Outcome {
  const id = findResultId(answer);
  return {
    isAnswered: answer.status === 200 || isRefusal(answer),
    isApplied: answer.status === 200 && !isDenied(answer),
    isReplay: (Object(answer.json) as { readonly replayed?: unknown }).replayed !== false,
    ids: id === undefined ? [] : [id],
  };
}

export const isGone = (answer: ContractAnswer): boolean => answer.status === 404 && !isOutage(answer);

const isUnanswered = ({ isAnswered }: ScratchEntry): boolean => !isAnswered;

/**
 * Removes what checks have created: the records that answers named, and what lists have under a name that a check wrote. A
 * request whose answer is not known is sent again first, so that it cannot be applied later. What cannot be removed stays in
 * `scratch`.
 */
export async function cleanScratch(scratch: Scratch, cleaner: Cleaner): Promise<void> {
  const lists = await measureLists(scratch, cleaner);
  // What is removed may be why a request is refused, such as a record of the same name.
  for (let attempt = 0; attempt < 2; attempt++) {
    // What is sent again may create something, so enough has to be left to remove that.
    const canSendAgain = cleaner.canSend(scratch.getReserved());
    if (canSendAgain) {
      await sendAgain(scratch, cleaner);
      lists.clear();
    } else if (attempt > 0) break;
    // A link may refer to a tag, so that the tag cannot be deleted before it.
    for (const resource of scratchResources) {
      const entries = scratch.entries.filter((entry) => entry.resource === resource);
      const list = lists.get(resource);
      if (entries.length > 0) await cleanResource(scratch, cleaner, { resource, entries, list });
    }
    if (!scratch.entries.some(isUnanswered)) break;
  }
}

/**
 * Reads the lists in which what is sent again will be looked for, so that it is known how many requests that takes. They
 * are what they were until something is sent again.
 */
async function measureLists(
  scratch: Scratch,
  { send, canSend }: Cleaner,
): Promise<Map<ScratchResource, ReadList>> {
  const lists = new Map<ScratchResource, ReadList>();
  // Without a limit, it does not matter.
  if (canSend(Infinity)) return lists;
  const resources = new Set(scratch.entries.filter(isUnanswered).map(({ resource }) => resource));
  for (const resource of resources) {
    if (scratch.isMeasured(resource)) continue;
    const list = await readRows(send, resource);
    if (list.rows === undefined) continue;
    scratch.measureList(resource, list.requests);
    lists.set(resource, list);
  }
  return lists;
}

/** Sends the requests again whose answer is not known. */
async function sendAgain(scratch: Scratch, cleaner: Cleaner): Promise<void> {
  for (const entry of scratch.entries.filter(isUnanswered)) {
    const answer = await cleaner.send({ method: 'POST', path: '/chat/changes', body: entry.body });
    if (answer.status === 200 || (await isRefusedForGood(scratch, cleaner, { entry, answer })))
      await scratch.answer(entry, toOutcome(answer));
  }
}

interface AnsweredAgain {
  readonly entry: ScratchEntry;
  readonly answer: ContractAnswer;
}

/**
 * Whether a request that was sent before is refused whenever it arrives. The key may have changed since, and while there are
 * records of checks, a refusal may be due to them.
 */
async function isRefusedForGood(scratch: Scratch, cleaner: Cleaner, again: AnsweredAgain): Promise<boolean> {
  const { entry, answer } = again;
  if (!isRefusal(answer) || !isErrorDocument(answer.json)) return false;
  if (answer.status === 401 || answer.status === 403) return false;
  // Its id is used up.
  if (answer.status === 409 && (isConflict(scratch, answer) || scratch.hasAppliedTwin(entry))) return true;
  if (scratch.entries.some(({ ids }) => ids.length > 0)) return false;
  return (
    answer.status !== 409 || answer.meaning !== undefined || isRefusedUnderNewId(scratch, cleaner, again)
  );
}

const isConflict = (scratch: Scratch, answer: ContractAnswer): boolean =>
  answer.meaning === 'inputConflict' || scratch.isConflictCode(getCode(answer));

/** Whether a request with an id of its own is refused alike: then the refusal is not about what became of the earlier one. */
async function isRefusedUnderNewId(
  scratch: Scratch,
  { send, canSend }: Cleaner,
  { entry, answer }: AnsweredAgain,
): Promise<boolean> {
  const { marker, resource } = entry;
  if (!canSend(1 + scratch.getReserved(resource))) return false;
  const body = { ...entry.body, operationId: randomUUID() };
  const begun = await scratch.begin({ marker, resource, body });
  const answerToNewId = await send({ method: 'POST', path: '/chat/changes', body });
  await scratch.answer(begun, toOutcome(answerToNewId));
  return answerToNewId.status === 409 && getCode(answerToNewId) === getCode(answer);
}

interface Cleaned {
  readonly resource: ScratchResource;
  readonly entries: readonly ScratchEntry[];
  /** Its list, if it was read and nothing was sent again since. */
  readonly list: ReadList | undefined;
}

async function cleanResource(
  scratch: Scratch,
  { send, onRemoved, forgetsUnseen = false }: Cleaner,
  { resource, entries, list }: Cleaned,
): Promise<void> {
  const markers = [...new Set(entries.map(({ marker }) => marker))];
  const { rows, isWhole, requests } = list ?? (await readRows(send, resource));
  if (rows !== undefined) scratch.measureList(resource, requests);
  await scratch.addListed(resource, listMarked(rows ?? [], markers));
  const ids = new Set(
    scratch.entries.filter((entry) => entry.resource === resource).flatMap((entry) => entry.ids),
  );
  const listed = rows && new Map(rows.map((row) => [toComparableId(String(row.id)), row]));
  const removed = new Set<string>();
  try {
    for (const id of ids) {
      const row = listed?.get(toComparableId(id));
      const isListed = listed && row !== undefined;
      const mayForget = forgetsUnseen && isWhole && isListed === false && scratch.isOverdue(id);
      if (!(await removeRecord(send, scratch, { resource, id, markers, isListed, row, mayForget }))) continue;
      removed.add(id);
      onRemoved?.(id);
    }
  } finally {
    // Without its list, a server does not show whether it has more.
    if (rows !== undefined)
      await scratch.remove(resource, removed, { forgetsUnseen: forgetsUnseen && isWhole });
  }
}

/** The records of a list that a check wrote under one of its markers. */
const listMarked = (rows: Frame['rows'], markers: readonly string[]): readonly ListedRecord[] =>
  rows.flatMap((row) => {
    const { id } = row;
    const [name] = markers.flatMap((marker) => findMarked(row, marker) ?? []);
    return typeof id === 'string' && name !== undefined ? [{ id, name }] : [];
  });

interface Removable {
  readonly resource: ScratchResource;
  readonly id: string;
  readonly markers: readonly string[];
  /** Whether the list has it; undefined if the list cannot be read. */
  readonly isListed: boolean | undefined;
  /** Its row in the list. */
  readonly row: Frame['rows'][number] | undefined;
  /** Whether it is gone if an answer to reading it does not have it, whatever the status. */
  readonly mayForget: boolean;
}

/** Removes a record, if it is one that a check wrote. Returns whether it is gone. */
async function removeRecord(
  send: Send,
  scratch: Scratch,
  { resource, id, markers, isListed, row, mayForget }: Removable,
): Promise<boolean> {
  // A 404 of a proxy, or of a part of the server that is down, may have a code that is not known.
  const provesAbsence = (answer: ContractAnswer): boolean =>
    isGone(answer) && (isListed === false || answer.meaning === 'notFound');
  // Somebody may change it between the two requests.
  for (let attempt = 0; attempt < 2; attempt++) {
    const answer = await send({ method: 'POST', path: '/chat/read', body: { resource, id } });
    // Reads may lag behind changes: what nothing has shown yet may come.
    if (provesAbsence(answer) && row === undefined) return scratch.isGone(id);
    const read = answer.status === 200 ? findRecord(answer.json, { id }) : undefined;
    if (read === undefined && mayForget && answer.status === 200) return true;
    const record = read ?? (isGone(answer) ? row : undefined);
    const isOurs = record !== undefined && markers.some((marker) => findMarked(record, marker) !== undefined);
    const guards = isOurs ? findGuards(record, resource) : undefined;
    if (guards === undefined) return false;
    await scratch.show([id]);
    const change = { action: 'delete-configuration', resource, id, ...guards };
    const deleted = await send({
      method: 'POST',
      path: '/chat/changes',
      body: { operationId: randomUUID(), change },
    });
    if ((deleted.status === 200 && !isDenied(deleted)) || provesAbsence(deleted)) return true;
    if (deleted.status !== 409) return false;
  }
  return false;
}
