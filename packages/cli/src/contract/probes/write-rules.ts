import { findPlace } from '../../shapes/find-place.ts';
import { getCode, isOutage, outage, zeroId } from '../answers.ts';
import { isGone } from '../clean-scratch.ts';
import type { Finding } from '../finding.ts';
import type { Probe } from '../probe.ts';
import type { ReadRecord, Sent, Writer } from '../writer.ts';
import { hasText, isApplied, readRule } from './write-answers.ts';

/* What a server does with texts and references, which the contract leaves open. */

const color = 'blue';

/** A name with white space around it. */
const trimming: Probe = {
  name: 'write/white space',
  group: 'write',
  topics: ['behavior.trims'],
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

const toLink = (writer: Writer, name: string, tagId: string | null): Readonly<Record<string, unknown>> => ({
  ...{ name: writer.toName(name), url: 'https://example.com/' },
  ...{ tagId, scenarioId: null },
});

const topics = ['behavior.unknownReference', 'behavior.onDelete'] as const;

/** Whether a change was refused as reading the missing record is. */
const isSameAnswer = ({ answer }: Sent, missing: ReadRecord): boolean =>
  isGone(answer) && answer.status === missing.answer.status && getCode(answer) === getCode(missing.answer);

/** A link to a tag that does not exist, and one to a tag that is deleted. */
const references: Probe = {
  name: 'write/references',
  group: 'write',
  topics,
  requests: 14,
  async ask({ writer }) {
    const unknown = await writer.create('links', toLink(writer, 'nowhere', zeroId));
    const missing = await writer.read('tags', zeroId);
    const reference: Finding = isSameAnswer(unknown, missing)
      ? { topic: 'behavior.unknownReference', place: 'tagId', fact: 'not found' }
      : readRule(unknown, 'behavior.unknownReference', 'tagId');
    return [reference, await askDeletion(writer)];
  },
};

async function askDeletion(writer: Writer): Promise<Finding> {
  const topic = 'behavior.onDelete';
  const place = 'tagId';
  const gap = (reason: string): Finding => ({ topic, place, unknown: reason });
  const tag = await writer.create('tags', { name: writer.toName('referred'), color });
  if (tag.id === undefined) return gap('no tag could be created');
  const link = await writer.create('links', toLink(writer, 'referring', tag.id));
  const { guards } = await writer.read('tags', tag.id);
  if (link.id === undefined || guards === undefined) return gap('no link to a tag could be created and read');
  const deletion = { action: 'delete-configuration', resource: 'tags', id: tag.id, ...guards };
  const deleted = await writer.change(deletion);
  if (isOutage(deleted.answer)) return outage(topic, place, deleted.answer);
  if ([400, 409].includes(deleted.answer.status)) return { topic, place, fact: 'refuse' };
  if (!isApplied(deleted)) return gap(`the server answered ${deleted.answer.status}`);
  const { record } = await writer.read('links', link.id);
  if (record === undefined) return gap('the link could not be read after the deletion');
  const tagId = tag.id.toLowerCase();
  const isKept = findPlace(record, ({ value }) => String(value).toLowerCase() === tagId) !== undefined;
  return { topic, place, fact: isKept ? 'keep' : 'remove' };
}

export const ruleProbes: readonly Probe[] = [trimming, references];
