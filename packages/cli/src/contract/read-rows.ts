import { limits } from '@orgchat/spec/limits';
import type { ContractAnswer, ContractRequest } from './exchange.ts';
import { type Frame, findFrame } from './find-frame.ts';
import type { ScratchResource } from './scratch.ts';

/** A list without an end is not read to its end. */
const mostPages = 40;

/** A server may have an empty page between two full ones. */
const emptyPagesAtEnd = 2;

/** Reads all rows of a list; undefined if a page cannot be read, or if the list does not end. */
export async function readRows(
  send: (request: ContractRequest) => Promise<ContractAnswer>,
  resource: ScratchResource,
): Promise<Frame['rows'] | undefined> {
  const all: Frame['rows'][number][] = [];
  let [offset, size, empty] = [0, 0, 0];
  for (let page = 0; page < mostPages; page++) {
    const body = { resource, offset, limit: limits.pageSize };
    const answer = await send({ method: 'POST', path: '/chat/read', body });
    const frame = answer.status === 200 ? findFrame(answer.json) : undefined;
    if (frame === undefined) return undefined;
    const { rows, limited } = frame;
    all.push(...rows);
    if (rows.length > 0 && limited?.value === false) return all;
    size = Math.max(size, rows.length);
    empty = rows.length === 0 ? empty + 1 : 0;
    if (size === 0 || empty === emptyPagesAtEnd) return all;
    offset += rows.length || size;
  }
  return undefined;
}
