import { toComparableId } from '@orgchat/sdk/internal';
import { findPlace } from '../../answer-frames/find-place.ts';
import { getCode, isOutage, outage, zeroId } from '../answers.ts';
import { isGone } from '../clean-scratch.ts';
import type { Probe } from '../probe.ts';
import type { ProbeResult } from '../probe-result.ts';
import type { ScratchResource } from '../scratch-file.ts';
import type { ReadRecord, Sent, Writer } from '../writer.ts';
import { hasText, isApplied, readRule } from './write-answers.ts';

/* What a server does with texts and references, which the contract leaves open. */

const color = 'blue';

/** A name with white space around it. */
const trimming: Probe = {
  name: 'write/white space',
  group: 'write',
  topics: ['behavior.trims'],
  clauses: [],
  requests: 4,
  async ask({ writer }) {
    const topic = 'behavior.trims';
    const place = 'a name';
    const name = writer.toName('spaces');
    const { id } = await writer.create('tags', { name: `  ${name}  `, color });
    const { record } = id === undefined ? { record: undefined } : await writer.read('tags', id);
    if (hasText(record, `  ${name}  `)) return [{ topic, place, fact: false }];
    if (hasText(record, name)) return [{ topic, place, fact: true }];
    return [{ topic, place, unknown: 'no tag with white space around its name could be created and read' }];
  },
};

/** A creation that has a field too many. */
const unknownField: Probe = {
  name: 'write/unknown field',
  group: 'write',
  topics: ['write.unknownField'],
  clauses: [],
  requests: 3,
  async ask({ writer }) {
    const about = { topic: 'write.unknownField', place: 'create-tags' } as const;
    const sent = await writer.create('tags', { name: writer.toName('more'), color, nonsense: 1 });
    if (isOutage(sent.answer)) return [outage(about.topic, about.place, sent.answer)];
    if (isApplied(sent)) return [{ ...about, fact: 'accepted' }];
    const { status } = sent.answer;
    return [
      status === 400 ? { ...about, fact: 'refused' } : { ...about, unknown: `the server answered ${status}` },
    ];
  },
};

const toLink = (writer: Writer, name: string, tagId: string | null): Readonly<Record<string, unknown>> => ({
  ...{ name: writer.toName(name), url: 'https://example.com/' },
  ...{ tagId, scenarioId: null },
});

const topics = ['behavior.unknownReference', 'behavior.onDelete'] as const;

/** Whether a change was refused as reading the missing record is. */
const isSameAnswer = ({ answer }: Sent, missing: ReadRecord): boolean =>
  isGone(answer) && answer.status === missing.answer.status && getCode(answer) === getCode(missing.answer);

/** A link to a tag that is deleted, and one to a tag that does not exist. */
const references: Probe = {
  name: 'write/references',
  group: 'write',
  topics,
  clauses: [],
  requests: 14,
  async ask({ writer }) {
    const { isLinked, onDelete } = await askDeletion(writer);
    const unknown = await writer.create('links', toLink(writer, 'nowhere', zeroId));
    const missing = await writer.read('tags', zeroId);
    return [readUnknown(unknown, missing, isLinked), onDelete];
  },
};

/** Reads the answer to a link to a tag that does not exist. A server may refuse links for another reason. */
function readUnknown(unknown: Sent, missing: ReadRecord, isLinked: boolean): ProbeResult {
  const topic = 'behavior.unknownReference';
  const place = 'tagId';
  if (!isLinked && !isApplied(unknown) && !isOutage(unknown.answer))
    return { topic, place, unknown: 'no link to a tag that exists could be created' };
  if (!isApplied(unknown) && isOutage(missing.answer)) return outage(topic, place, missing.answer);
  return isSameAnswer(unknown, missing)
    ? { topic, place, fact: 'not found' }
    : readRule(unknown, topic, place);
}

/** Deletes a tag that a link refers to. `isLinked`: the link could be created. */
async function askDeletion(writer: Writer): Promise<{ isLinked: boolean; onDelete: ProbeResult }> {
  const tag = await writer.create('tags', { name: writer.toName('referred'), color });
  if (tag.id === undefined) return { isLinked: false, onDelete: toGap('no tag could be created and found') };
  const link = await writer.create('links', toLink(writer, 'referring', tag.id));
  const isLinked = isApplied(link);
  if (!isLinked || link.id === undefined)
    return { isLinked, onDelete: toGap('no link to a tag could be created and found') };
  return { isLinked, onDelete: await readOnDelete(writer, tag.id, link.id) };
}

const toGap = (unknown: string): ProbeResult => ({ topic: 'behavior.onDelete', place: 'tagId', unknown });

/** Sends the deletion of a record as it is now; undefined if it cannot be read. */
async function remove(writer: Writer, resource: ScratchResource, id: string): Promise<Sent | undefined> {
  const { guards } = await writer.read(resource, id);
  return guards && writer.change({ action: 'delete-configuration', resource, id, ...guards });
}

async function readOnDelete(writer: Writer, tagId: string, linkId: string): Promise<ProbeResult> {
  const topic = 'behavior.onDelete';
  const place = 'tagId';
  const deleted = await remove(writer, 'tags', tagId);
  if (deleted === undefined) return toGap('the tag could not be read');
  if (isOutage(deleted.answer)) return outage(topic, place, deleted.answer);
  if ([400, 409].includes(deleted.answer.status)) {
    // It may be refused for another reason than the link.
    await remove(writer, 'links', linkId);
    const again = await remove(writer, 'tags', tagId);
    return again !== undefined && isApplied(again)
      ? { topic, place, fact: 'refuse' }
      : toGap('the tag could not be deleted without the link either');
  }
  if (!isApplied(deleted)) return toGap(`the server answered ${deleted.answer.status}`);
  const { record } = await writer.read('links', linkId);
  if (record === undefined) return toGap('the link could not be read after the deletion');
  const isKept = findPlace(record, ({ value }) => toComparableId(String(value)) === toComparableId(tagId));
  return { topic, place, fact: isKept === undefined ? 'remove' : 'keep' };
}

export const ruleProbes: readonly Probe[] = [trimming, unknownField, references];
