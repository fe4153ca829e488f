import { splitWords } from '@orgchat/spec/search-words';
import * as z from 'zod';
import { notFound } from '../input-checks/control-error.ts';
import { parseControl } from '../input-checks/parse-control.ts';
import { memoize } from '../memoize.ts';
import { type RequestDetail, toDetail } from './request-detail.ts';
import type { RequestLog } from './request-log.ts';
import { hasWords } from './search.ts';
import type { RequestLogEntry } from './trace.ts';

/** Maximum number of characters of a search. */
const maxSearchLength = 200;

/** `GET /requests`. */
export const requestPage = memoize(() =>
  z.strictObject({
    after: z.int().min(0).optional().meta({ description: 'Only requests after the one with this id.' }),
    search: z.string().max(maxSearchLength).optional().meta({
      description: 'Words that must all occur in a request: in its entry, its outcome, or one of its bodies.',
    }),
    limit: z.int().min(1).optional().meta({ description: 'Maximum number of requests; all without it.' }),
    last: z.int().min(1).optional().meta({
      description: 'Only this many of those that match, the newest. Applied before limit.',
    }),
  }),
);

/** The kept requests, oldest first; throws a `ControlError` 400 if the page is invalid. */
export function listRequests(log: RequestLog, page: unknown): RequestLogEntry[] {
  const {
    after = 0,
    limit,
    last = Number.POSITIVE_INFINITY,
    search = '',
  } = parseControl(requestPage(), page);
  const words = splitWords(search);
  const traces = log.list().filter((trace) => trace.id > after && hasWords(trace, words));
  return traces
    .slice(-last)
    .slice(0, limit)
    .map((trace) => trace.toEntry());
}

/** A request with headers and bodies, by its id or its requestId; throws a `ControlError` 404 if the log has none. */
export function getRequest(log: RequestLog, id: number | string): RequestDetail {
  const trace = log.find(parseRequestId(id));
  if (trace !== undefined) return toDetail(trace);
  const kept = log.list();
  const [first] = kept;
  const last = kept.at(-1);
  const { entries } = log.dropped;
  const has =
    first === undefined || last === undefined
      ? 'The log is empty.'
      : `The log has ids ${first.id} to ${last.id}, and requestIds ${first.requestId} to ${last.requestId}.`;
  const dropped =
    entries === 0 ? '' : ` It dropped ${entries} older entries: keep more with --request-log-size.`;
  throw notFound(`request ${id} in the log`, has + dropped);
}

/** What a request is named by: a text of digits is an id, as in a path. */
export const parseRequestId = (id: number | string): number | string =>
  typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id;
