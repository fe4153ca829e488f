import { limits } from '@orgchat/spec/limits';
import { patterns } from '@orgchat/spec/patterns';
import type { ContractAnswer, ContractRequest } from './exchange.ts';
import { type Frame, findFrame } from './find-frame.ts';
import type { ScratchResource } from './scratch-file.ts';

/** A list without an end is not read to its end. */
const mostPages = 1000;

/** A server may have an empty page between two full ones. */
const emptyPagesAtEnd = 2;

/** A server that ignores offsets, or whose list changes in the meantime, returns a record twice. */
const toKey = (row: Frame['rows'][number]): string => String(row.id);

/** Rows of which each has an id that a request can name: the contract takes UUIDs. */
const haveIds = (rows: Frame['rows']): boolean =>
  rows.every(({ id }) => typeof id === 'string' && patterns.uuid.test(id));

/** The rows of a list; undefined if a page cannot be read, if a row has no id, or if the list does not end. */
export interface ReadList {
  readonly rows: Frame['rows'] | undefined;
  /** Whether the page has all rows. A server that ignores offsets repeats a page, and may have more than it shows. */
  readonly isWhole: boolean;
  /** How many requests it took. */
  readonly requests: number;
}

/** Reads all rows of a list. */
export async function readRows(
  send: (request: ContractRequest) => Promise<ContractAnswer>,
  resource: ScratchResource,
): Promise<ReadList> {
  const all = new Map<string, Frame['rows'][number]>();
  let [offset, size, empty] = [0, 0, 0];
  for (let requests = 1; requests <= mostPages; requests++) {
    const body = { resource, offset, limit: limits.pageSize };
    const answer = await send({ method: 'POST', path: '/chat/read', body });
    const frame = answer.status === 200 ? findFrame(answer.json) : undefined;
    if (frame === undefined || !haveIds(frame.rows)) return { rows: undefined, isWhole: false, requests };
    const { rows, limited } = frame;
    const known = all.size;
    for (const row of rows) all.set(toKey(row), row);
    const isRepeated = rows.length > 0 && all.size === known;
    size = Math.max(size, rows.length);
    empty = rows.length === 0 ? empty + 1 : 0;
    const isEnd = isRepeated || (rows.length > 0 && limited?.value === false);
    if (isEnd || size === 0 || empty === emptyPagesAtEnd)
      return { rows: [...all.values()], isWhole: !isRepeated, requests };
    offset += rows.length || size;
  }
  return { rows: undefined, isWhole: false, requests: mostPages };
}
