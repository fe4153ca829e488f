import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isDenied, isOutage, outage, readRefusal, zeroRevision } from '../answers.ts';
import type { Probe } from '../probe.ts';
import type { ProbeResult } from '../probe-result.ts';
import type { TopicName } from '../topics.ts';
import type { ReadRecord, Sent, Writer } from '../writer.ts';
import {
  appliedClauses,
  hasText,
  isApplied,
  isReplayed,
  readApplied,
  readDeletion,
  readResult,
  readRule,
} from './write-answers.ts';

/* Changes of tags: what an operationId and a guard do. */

const createTag = 'create-tags';
const color = 'blue';

const gapsOf = (topics: readonly TopicName[], unknown: string): readonly ProbeResult[] =>
  topics.map((topic) => ({ topic, place: createTag, unknown }));

/** Another input with the operationId of a change that was applied. */
function readConflict(sent: Sent, isThere: boolean): readonly ProbeResult[] {
  const place = 'another input';
  if (isReplayed(sent) && !isThere) return [{ topic: 'write.conflict', place, fact: 'replayed' }];
  if (sent.answer.status !== 200 || isDenied(sent.answer))
    return readRefusal(sent.answer, place, 'inputConflict', { topic: 'write.conflict', clause: '4.4.42' });
  const what = 'another input with the operationId of an applied change was applied';
  return [{ topic: 'write.conflict', clause: '4.4.42', what, requests: [sent.answer.request] }];
}

function readReordered(sent: Sent): readonly ProbeResult[] {
  const topic = 'behavior.replayCompares';
  const place = 'another order of fields';
  if (isReplayed(sent)) return [{ topic, place, fact: 'input' }];
  if (isOutage(sent.answer)) return [outage(topic, place, sent.answer)];
  if (sent.answer.status === 409) return [{ topic, place, fact: 'bytes' }];
  return [{ topic, place, unknown: `the server answered ${sent.answer.status}` }];
}

const replayTopics = [
  'write.applied',
  'write.replay',
  'write.conflict',
  'codes.inputConflict',
  'shapes.result.create',
  'behavior.replayCompares',
  'behavior.duplicateNames',
] as const;

/** A tag is created, and its creation sent again: as it was, in another order, with another input. */
const replay: Probe = {
  name: 'write/replay',
  group: 'write',
  topics: replayTopics,
  clauses: [...appliedClauses, '4.4.42', '7.1.1'],
  requests: 13,
  async ask({ writer }) {
    const [name, otherName] = [writer.toName('one'), writer.toName('two')];
    const first = await writer.create('tags', { name, color });
    const created = readApplied(first, createTag);
    const { operationId } = first;
    if (!isApplied(first)) return [created, ...gapsOf(replayTopics.slice(1), 'no tag could be created')];
    const again = await writer.create('tags', { name, color }, operationId);
    const reordered = await writer.create('tags', { color, name }, operationId);
    const other = await writer.create('tags', { name: otherName, color }, operationId);
    const rows = await writer.list('tags');
    const duplicate = await writer.create('tags', { name, color });
    const count = (text: string): number => (rows ?? []).filter((row) => hasText(row, text)).length;
    const requests = [first, again, reordered].map(({ answer }) => answer.request);
    return [
      created,
      readResult(first, 'create', name, createTag),
      readApplied(again, createTag, true),
      ...readCount(count(name), requests),
      ...(isReplayed(again)
        ? readReordered(reordered)
        : gapsOf(['behavior.replayCompares'], 'nothing is replayed')),
      ...readConflict(other, count(otherName) > 0),
      readRule(duplicate, 'behavior.duplicateNames', createTag),
    ];
  },
};

/** How many records there are after one creation that was sent several times. */
function readCount(count: number, requests: readonly string[]): readonly ProbeResult[] {
  const topic = 'write.replay';
  const place = 'the list of tags';
  if (count === 1) return [{ topic, place, fact: 'applied once' }];
  if (count === 0) return [{ topic, place, unknown: 'the list does not show what was created' }];
  const what = `${createTag}: ${count} records after one change that was sent several times with one operationId`;
  return [{ topic, clause: '6.6', what, requests }];
}

const guardTopics = [
  'write.guard',
  'write.label',
  'write.labelText',
  'write.revision',
  'write.replayed',
  'codes.staleRevision',
  'shapes.result.update',
  'shapes.result.delete',
  'behavior.refusedIdIsFree',
] as const;

/** Reads a change with a guard that is not current. */
function readStale(sent: Sent, place: string): readonly ProbeResult[] {
  const { answer } = sent;
  if (!isApplied(sent))
    return readRefusal(answer, place, 'staleRevision', { topic: 'write.guard', clause: '4.4.41' });
  return [
    { topic: 'write.guard', clause: '4.4.3', what: `${place}: was applied`, requests: [answer.request] },
  ];
}

/** A label that is not current. The contract does not say how it is refused. */
function readLabel(sent: Sent): readonly ProbeResult[] {
  const place = 'another label';
  if (isApplied(sent)) return [{ topic: 'write.label', place, fact: 'applied' }];
  if (isOutage(sent.answer)) return [outage('write.label', place, sent.answer)];
  if (sent.answer.status !== 409)
    return [{ topic: 'write.label', place, fact: `answered ${sent.answer.status}` }];
  return readRefusal(sent.answer, place, 'staleRevision', { topic: 'write.label', clause: '4.4.47' });
}

/** A change of another kind with the operationId of one that was refused. */
async function askFreeId(writer: Writer, refused: Sent): Promise<ProbeResult> {
  const topic = 'behavior.refusedIdIsFree';
  const place = 'a stale update';
  if (refused.answer.status !== 409 || isOutage(refused.answer))
    return { topic, place, unknown: 'no change was refused' };
  const sent = await writer.create('tags', { name: writer.toName('free'), color }, refused.operationId);
  if (isApplied(sent)) return { topic, place, fact: true };
  if (isOutage(sent.answer)) return outage(topic, place, sent.answer);
  return sent.answer.status === 409
    ? { topic, place, fact: false }
    : { topic, place, unknown: `the server answered ${sent.answer.status}` };
}

const labelText = { topic: 'write.labelText', place: 'tags' } as const;

/** Whether a label is the text of the name. A server that may have applied another one does not show it. */
function readLabelText(other: Sent): ProbeResult {
  if (isOutage(other.answer)) return outage(labelText.topic, labelText.place, other.answer);
  return isApplied(other)
    ? { ...labelText, unknown: 'a change with another label is applied' }
    : { ...labelText, fact: 'the name' };
}

/** Whether a change is applied, or may be because it has no answer of the server. */
const mayBeApplied = (sent: Sent): boolean => isApplied(sent) || isOutage(sent.answer);

type Guards = NonNullable<ReadRecord['guards']>;

/** Updates a record without changing it, and back to what it was first. Revisions are compared and not kept. */
async function askRevision(
  writer: Writer,
  id: string,
  first: Guards,
  toUpdate: (guards: Guards, name: string) => object,
): Promise<{ readonly revision: ProbeResult; readonly guards: Guards | undefined }> {
  const about = { topic: 'write.revision', place: 'tags' } as const;
  const names = ['updated', 'guarded'];
  const seen: string[] = [first.expectedRevision];
  for (;;) {
    const { guards } = await writer.read('tags', id);
    if (guards === undefined)
      return { revision: { ...about, unknown: 'the record could not be read' }, guards };
    const isEarlier = seen.includes(guards.expectedRevision);
    if (isEarlier) return { revision: { ...about, fact: 'an earlier one' }, guards };
    const name = names.shift();
    if (name === undefined) return { revision: { ...about, fact: 'a new one' }, guards };
    seen.push(guards.expectedRevision);
    const sent = await writer.change({ ...toUpdate(guards, name) });
    const unknown = `the server answered ${sent.answer.status}`;
    // Without an answer of the server, it may be applied all the same.
    if (!isApplied(sent)) return { revision: { ...about, unknown }, guards: undefined };
  }
}

/** Compares the result of a creation with that of its replay, after the record was deleted. Neither is kept. */
function readReplayed(first: Sent, again: Sent): ProbeResult {
  const about = { topic: 'write.replayed', place: 'create-tags' } as const;
  const getResult = ({ answer }: Sent): unknown => Object(answer.json).result ?? null;
  if (!isReplayed(again)) return { ...about, unknown: 'it was not replayed' };
  if (getResult(first) === null) return { ...about, unknown: 'changes have no result' };
  const isSame = isDeepStrictEqual(getResult(first), getResult(again));
  return { ...about, fact: isSame ? 'the stored one' : 'another one' };
}

const neverSeen = 'an update with a revision that the record never had';

/** A tag is changed and deleted, with guards that are current and that are not. */
const guards: Probe = {
  name: 'write/guards',
  group: 'write',
  topics: [...guardTopics, 'write.applied', 'write.replay'],
  clauses: [...appliedClauses, '4.4.3', '4.4.41', '4.4.47', '7.1.1'],
  requests: 21,
  async ask({ writer }) {
    const name = writer.toName('guarded');
    const created = await writer.create('tags', { name, color });
    const { id } = created;
    const before = id === undefined ? undefined : await writer.read('tags', id);
    if (id === undefined || before?.guards === undefined)
      return gapsOf(guardTopics, 'no tag with a revision and a label could be created and read');
    const update = (guard: ReadRecord['guards'], text: string): object => ({
      ...{ action: 'update-tags', id, ...guard },
      data: { name: writer.toName(text), color },
    });
    const never = await writer.change({
      ...update({ ...before.guards, expectedRevision: zeroRevision }, 'never'),
    });
    const free = await askFreeId(writer, never);
    const other = await writer.change({
      ...update({ ...before.guards, expectedLabel: writer.toName('no') }, 'other'),
    });
    const current = [never, other].some(mayBeApplied) ? await writer.read('tags', id) : before;
    if (current.guards === undefined) return [...readStale(never, neverSeen), free, ...readLabel(other)];
    const updated = await writer.change({ ...update(current.guards, 'updated') });
    const late = await writer.change({ ...update(current.guards, 'late') });
    const deletion = { action: 'delete-configuration', resource: 'tags', id };
    const lateDeletion = await writer.change({ ...deletion, ...current.guards });
    const results = [
      ...readStale(never, neverSeen),
      free,
      ...readLabel(other),
      readApplied(updated, 'update-tags'),
      ...(isApplied(updated) ? [readResult(updated, 'update', writer.toName('updated'), 'update-tags')] : []),
      ...(isApplied(updated) ? readStale(late, 'an update with the revision before the last update') : []),
      ...(isApplied(updated) ? readStale(lateDeletion, 'a deletion with an earlier revision') : []),
    ];
    // There is nothing to delete anymore.
    if (isApplied(lateDeletion)) return results;
    let last: Guards | undefined;
    if (isApplied(updated)) {
      const { revision, guards } = await askRevision(writer, id, before.guards, update);
      results.push(readLabelText(other), revision);
      last = guards;
    }
    last ??= (await writer.read('tags', id)).guards;
    if (last === undefined) return results;
    const operationId = randomUUID();
    const deleted = await writer.change({ ...deletion, ...last }, operationId);
    results.push(readApplied(deleted, 'delete-configuration'));
    if (!isApplied(deleted)) return results;
    const deletedAgain = await writer.change({ ...deletion, ...last }, operationId);
    const createdAgain = await writer.create('tags', { name, color }, created.operationId);
    return [
      ...results,
      readDeletion(deleted, 'delete-configuration'),
      readApplied(deletedAgain, 'delete-configuration', true),
      readApplied(createdAgain, 'create-tags of a deleted record', true),
      readReplayed(created, createdAgain),
    ];
  },
};

export const operationProbes: readonly Probe[] = [replay, guards];
