import { randomUUID } from 'node:crypto';
import { codeMeanings, refusalStatuses } from '@orgchat/spec';
import { findPlace, isNamed } from '../shapes/find-place.ts';
import { getCode, isErrorDocument, saysNothing } from './answers.ts';
import type { ContractAnswer, ContractRequest } from './exchange.ts';
import { findGuards, findRecord } from './find-record.ts';
import { readRows } from './read-rows.ts';
import {
  type Outcome,
  type Scratch,
  type ScratchEntry,
  type ScratchResource,
  scratchResources,
} from './scratch.ts';

type Send = (request: ContractRequest) => Promise<ContractAnswer>;

/** Whether a record, or a row, has a name that a check wrote. */
const hasMarker = (record: unknown, marker: string): boolean =>
  findPlace(record, ({ value }) => typeof value === 'string' && value.trim().startsWith(marker)) !==
  undefined;

/** The id of the record that an answer to a change is about; undefined if it has none. */
export function findResultId({ status, json }: ContractAnswer): string | undefined {
  const { result } = Object(json) as { readonly result?: unknown };
  const found = findPlace(result, (place) => isNamed(place, 'id') && typeof place.value === 'string');
  return status === 200 ? (found?.value as string | undefined) : undefined;
}

/** Statuses with which a server refuses a request that it got. What is in between may answer with another one. */
const refusals: readonly number[] = [...refusalStatuses, 401, 403];

const isRefusal = (answer: ContractAnswer): boolean =>
  refusals.includes(answer.status) && !saysNothing(answer);

/** What an answer says about a request that may create something, and that was not sent before. */
export function toOutcome(answer: ContractAnswer): Outcome {
  const id = findResultId(answer);
  return {
    isAnswered: answer.status === 200 || isRefusal(answer),
    isApplied: answer.status === 200,
    ids: id === undefined ? [] : [id],
  };
}

export const isGone = (answer: ContractAnswer): boolean =>
  answer.status === 404 && getCode(answer) !== codeMeanings.runtimeUnavailable.code;

const isUnanswered = ({ isAnswered }: ScratchEntry): boolean => !isAnswered;

/**
 * Removes what checks have created: the records that answers named, and what lists have under a name that a check wrote. A
 * request whose answer is not known is sent again first, so that it cannot be applied later. What cannot be removed stays in
 * `scratch`.
 */
export async function cleanScratch(scratch: Scratch, send: Send): Promise<readonly string[]> {
  const removed: string[] = [];
  // What is removed may be why a request is refused, such as a record of the same name.
  for (let attempt = 0; attempt < 2; attempt++) {
    await sendAgain(scratch, send);
    // A link may refer to a tag, so that the tag cannot be deleted before it.
    for (const resource of scratchResources) {
      const entries = scratch.entries.filter((entry) => entry.resource === resource);
      if (entries.length > 0) removed.push(...(await cleanResource(scratch, send, resource, entries)));
    }
    if (!scratch.entries.some(isUnanswered)) break;
  }
  return removed;
}

/** Sends the requests again whose answer is not known. */
async function sendAgain(scratch: Scratch, send: Send): Promise<void> {
  for (const entry of scratch.entries.filter(isUnanswered)) {
    const answer = await send({ method: 'POST', path: '/chat/changes', body: entry.body });
    const hasRecords = scratch.entries.some(({ ids }) => ids.length > 0);
    if (answer.status === 200 || isRefusedForGood(answer, hasRecords))
      await scratch.answer(entry, toOutcome(answer));
  }
}

/**
 * Whether a request that was sent before is refused whenever it arrives. The key may have changed since, and while there are
 * records of checks, a refusal may be due to them.
 */
function isRefusedForGood(answer: ContractAnswer, hasRecords: boolean): boolean {
  if (!isRefusal(answer) || !isErrorDocument(answer.json)) return false;
  if (answer.status === 401 || answer.status === 403) return false;
  return !hasRecords || getCode(answer) === codeMeanings.inputConflict.code;
}

async function cleanResource(
  scratch: Scratch,
  send: Send,
  resource: ScratchResource,
  entries: readonly ScratchEntry[],
): Promise<readonly string[]> {
  const markers = [...new Set(entries.map(({ marker }) => marker))];
  const listed = await listMarked(send, resource, markers);
  // Without its list, a server does not show what it has.
  if (listed === undefined) return [];
  const [first] = entries;
  // What is found under a marker is remembered before it is removed.
  if (first !== undefined) await scratch.answer(first, { ...first, ids: listed });
  const ids = [...new Set([...entries.flatMap((entry) => entry.ids), ...listed])];
  const removed = new Set<string>();
  for (const id of ids) if (await removeRecord(send, resource, id, markers)) removed.add(id);
  await scratch.remove(resource, removed);
  return [...removed];
}

/** The ids of the records of a list that a check wrote; undefined if the list cannot be read. */
async function listMarked(
  send: Send,
  resource: ScratchResource,
  markers: readonly string[],
): Promise<readonly string[] | undefined> {
  const rows = await readRows(send, resource);
  const ours = rows?.filter((row) => markers.some((marker) => hasMarker(row, marker)));
  return ours?.map(({ id }) => id).filter((id) => typeof id === 'string');
}

/** Removes a record, if it is one that a check wrote. Returns whether it is gone. */
async function removeRecord(
  send: Send,
  resource: ScratchResource,
  id: string,
  markers: readonly string[],
): Promise<boolean> {
  // Somebody may change it between the two requests.
  for (let attempt = 0; attempt < 2; attempt++) {
    const answer = await send({ method: 'POST', path: '/chat/read', body: { resource, id } });
    if (isGone(answer)) return true;
    const record = answer.status === 200 ? findRecord(answer.json, { id }) : undefined;
    const isOurs = record !== undefined && markers.some((marker) => hasMarker(record, marker));
    const guards = isOurs ? findGuards(record, resource) : undefined;
    if (guards === undefined) return false;
    const change = { action: 'delete-configuration', resource, id, ...guards };
    const deleted = await send({
      method: 'POST',
      path: '/chat/changes',
      body: { operationId: randomUUID(), change },
    });
    if (deleted.status === 200 || isGone(deleted)) return true;
    if (deleted.status !== 409) return false;
  }
  return false;
}
