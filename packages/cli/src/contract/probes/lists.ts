import { configurationResources, isObject, type ReadableResource } from '@orgchat/spec';
import { limits } from '@orgchat/spec/limits';
import { isOutage, outage } from '../answers.ts';
import type { ContractAnswer } from '../exchange.ts';
import { type Frame, findFrame, findOrder } from '../find-frame.ts';
import type { Asking, Probe } from '../probe.ts';
import type { ProbeResult } from '../probe-result.ts';
import { readDates } from '../read-dates.ts';

export const listTopics = [
  'shapes.list.records',
  'shapes.list.total',
  'shapes.list.limited',
  'shapes.list.order',
] as const;

/** The clauses about an answer to reading a list. */
export const listClauses = ['4.3.20', '4.3.23', '8.3'];

/** Fewer rows show an order by chance. */
const rowsForOrder = 3;

function readFrame(answer: ContractAnswer, resource: string): Frame | readonly ProbeResult[] {
  const { status, json, request } = answer;
  if (isOutage(answer) || status === 404) return listTopics.map((topic) => outage(topic, resource, answer));
  if (status !== 200 || !isObject(json)) {
    const what = `the list of ${resource}: ${status === 200 ? 'the answer is not a JSON object' : `answered ${status}`}`;
    return [{ topic: 'shapes.list.records', clause: '4.3.20', what, requests: [request] }];
  }
  const unknown = 'the answer has no list';
  return findFrame(json) ?? [{ topic: 'shapes.list.records', place: resource, unknown }];
}

const isFrame = (found: Frame | readonly ProbeResult[]): found is Frame => 'rows' in found;

/** What an answer to reading a list shows of its frame. */
export function readListAnswer(answer: ContractAnswer, resource: ReadableResource): readonly ProbeResult[] {
  const frame = readFrame(answer, resource);
  if (!isFrame(frame)) return frame;
  const { records, rows, total, limited } = frame;
  if (rows.length > limits.pageSize)
    return [
      {
        topic: 'limits.pageSize',
        clause: '4.3.23',
        what: `the list of ${resource} has ${rows.length} records`,
        requests: [answer.request],
      },
    ];
  // Any empty list looks like a list of records.
  if (rows.length === 0)
    return listTopics.map((topic) => ({ topic, place: resource, unknown: `no record exists: ${resource}` }));
  const order = rows.length >= rowsForOrder ? findOrder(rows) : undefined;
  return [
    { topic: 'shapes.list.records', place: resource, fact: records },
    { topic: 'shapes.list.total', place: resource, fact: total?.pointer ?? null },
    { topic: 'shapes.list.limited', place: resource, fact: limited?.pointer ?? null },
    order === undefined
      ? {
          topic: 'shapes.list.order',
          place: resource,
          unknown: 'no list has three rows with different times of creation',
        }
      : { topic: 'shapes.list.order', place: resource, fact: order },
    ...readDates(rows[0], resource),
  ];
}

const list = (resource: ReadableResource): Probe => ({
  name: `lists/${resource}`,
  group: 'lists',
  topics: [...listTopics, 'limits.pageSize', 'behavior.dates'],
  clauses: listClauses,
  ask: async ({ readList }) => readListAnswer(await readList(resource), resource),
});

/** What `limited` says if it is wrong, and yet the only sign of records behind an empty page. */
export const neededLimited = 'true behind empty pages';

const pagingTopics = ['lists.total', 'lists.limited', 'lists.offset', 'limits.pageSize'] as const;

/** A page of the list that is looked at: its rows, and what it says about the rest. */
interface PageSeen {
  readonly rows: Frame['rows'];
  readonly total: number | undefined;
  readonly limited: boolean | undefined;
}

/** The list with the most rows: it shows most about pages. */
async function findLongest({
  readList,
}: Asking): Promise<{ resource: ReadableResource; frame: Frame } | undefined> {
  let longest: { resource: ReadableResource; frame: Frame } | undefined;
  for (const resource of configurationResources) {
    const answer = await readList(resource);
    const frame = answer.status === 200 ? findFrame(answer.json) : undefined;
    if (frame !== undefined && frame.rows.length > (longest?.frame.rows.length ?? 0))
      longest = { resource, frame };
  }
  return longest;
}

const toPage = ({ rows, total, limited }: Frame): PageSeen => ({
  rows,
  total: typeof total?.value === 'number' ? total.value : undefined,
  limited: typeof limited?.value === 'boolean' ? limited.value : undefined,
});

/** Pages of the longest list: what total, limited and an offset mean, and how long a page is. */
const paging: Probe = {
  name: 'paging/longest list',
  group: 'paging',
  topics: pagingTopics,
  clauses: ['8.3'],
  async ask(asking) {
    const longest = await findLongest(asking);
    const gap = (unknown: string): readonly ProbeResult[] =>
      pagingTopics.map((topic) => ({ topic, place: 'lists', unknown }));
    if (longest === undefined) return gap('no list has a record');
    const { resource, frame } = longest;
    const readPage = async (offset: number, limit: number): Promise<PageSeen | undefined> => {
      const { status, json } = await asking.send({
        method: 'POST',
        path: '/chat/read',
        body: { resource, offset, limit },
      });
      const found = status === 200 ? findFrame(json) : undefined;
      return found && toPage(found);
    };
    const first = toPage(frame);
    const size = first.rows.length;
    const one = await readPage(0, 1);
    const second = await readPage(1, 1);
    const next = await readPage(size, limits.pageSize);
    if (one === undefined || second === undefined || next === undefined)
      return gap('a page could not be read');
    const says = (first.total ?? 0) > size || first.limited === true;
    // Behind an empty page, only what the list says of itself shows that it has more.
    const after = next.rows.length === 0 && says ? await readPage(2 * size, limits.pageSize) : undefined;
    const hasMore = next.rows.length > 0 || (after?.rows.length ?? 0) > 0;
    const isGap = hasMore && next.rows.length === 0;
    const last = first.total === undefined ? undefined : await readPage(Math.max(0, first.total - 1), 1);
    const end = await readPage(limits.offset, 1);
    const pages = { first, one, second, next, last, end, hasMore, isGap };
    return [
      judgeTotal(pages),
      judgeLimited(pages),
      ...judgeOffset(first, second, resource),
      judgeSize(size, hasMore),
    ];
  },
};

interface Pages {
  /** As many rows as a page has. */
  readonly first: PageSeen;
  /** The first row alone, and the second. */
  readonly one: PageSeen;
  readonly second: PageSeen;
  /** The page behind the first one. */
  readonly next: PageSeen;
  /** The page at the last record, if `total` counts all. */
  readonly last: PageSeen | undefined;
  /** Behind everything. */
  readonly end: PageSeen | undefined;
  readonly hasMore: boolean;
  /** Whether an empty page is not the last one. */
  readonly isGap: boolean;
}

function judgeTotal({ first, one, second, next, last, hasMore }: Pages): ProbeResult {
  const { total, rows } = first;
  if (total === undefined) return { topic: 'lists.total', place: 'lists', unknown: 'lists have no total' };
  const isSteady = [one, second, next].every((page) => page.total === total);
  const isCount = hasMore ? total > rows.length : total === rows.length;
  const isRight = isSteady && isCount && last?.rows.length === 1;
  return { topic: 'lists.total', place: 'lists', fact: isRight ? 'all records' : 'something else' };
}

function judgeLimited({ first, one, end, hasMore, isGap }: Pages): ProbeResult {
  const { limited, rows } = first;
  if (limited === undefined)
    return { topic: 'lists.limited', place: 'lists', unknown: 'lists have no limited' };
  const isRight = limited === hasMore && (rows.length < 2 || one.limited === true) && end?.limited === false;
  // Nothing but limited says that there are records behind an empty page.
  const isNeeded = isGap && limited;
  const fact = isRight ? 'more exist' : isNeeded ? neededLimited : 'something else';
  return { topic: 'lists.limited', place: 'lists', fact };
}

/** An offset of one has to begin with the second row. Ids are compared and not kept. */
function judgeOffset({ rows }: PageSeen, second: PageSeen, resource: string): readonly ProbeResult[] {
  const [, expected] = rows;
  const [found] = second.rows;
  if (expected === undefined || typeof expected.id !== 'string')
    return [{ topic: 'lists.offset', place: resource, unknown: 'no list has two records with an id' }];
  return [
    {
      topic: 'lists.offset',
      place: resource,
      fact: found?.id === expected.id ? 'records' : 'something else',
    },
  ];
}

const judgeSize = (size: number, hasMore: boolean): ProbeResult =>
  hasMore || size === limits.pageSize
    ? { topic: 'limits.pageSize', place: 'lists', fact: size }
    : { topic: 'limits.pageSize', place: 'lists', unknown: `no list has more than ${size} records` };

export const listProbes: readonly Probe[] = (['accounts', ...configurationResources] as const).map(list);
export const pagingProbe = paging;
