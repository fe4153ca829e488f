import { isObject } from '@orgchat/spec/is-object';
import type { Context } from '../../context.ts';
import type { Row } from '../../output/output.ts';
import { isFailed, listReasons, showAction, showKey, showOutcome, showTime } from './request-lines.ts';
import type { Page, RequestPrinting } from './request-page.ts';

/** Columns of a table of requests. */
const columns = ['id', 'time', 'path', 'action', 'status', 'error', 'outcome', 'key'];

/** The part of the control API that a list needs. */
interface ControlCalls {
  call(method: string, path: string): Promise<unknown>;
}

/** `mock requests list`: prints requests of the log, and in a table why they failed. */
export async function listRequests(
  { output }: Context,
  control: ControlCalls,
  options: Page & RequestPrinting,
): Promise<void> {
  const answer = await control.call('GET', toPath(options));
  const rows = selectRequests(isObject(answer) ? answer.requests : answer, options);
  if (output.isView) {
    const shown = rows.map((row) => ({
      ...row,
      time: showTime(row),
      action: showAction(row),
      outcome: showOutcome(row),
      key: showKey(row),
    }));
    await output.many(shown, columns, (row) => (options.why || isFailed(row) ? listReasons(row) : []));
  } else await output.many(rows, columns);
  const dropped = isObject(answer) && isObject(answer.dropped) ? answer.dropped.entries : 0;
  if (typeof dropped === 'number' && dropped > 0)
    output.note(`The request log is full. It dropped ${dropped} older requests.`);
}

/** Asks only for what is printed, as far as the mock can select it: not the newest, and not those that failed. */
function toPath({ after, limit, failed }: Page & RequestPrinting): string {
  if (after === undefined) return '/requests';
  const mayLimit = limit !== undefined && failed !== true;
  return `/requests?after=${after}${mayLimit ? `&limit=${limit}` : ''}`;
}

/** The newest of the requests that the mock lists, or with `after` the first ones. */
export function selectRequests(list: unknown, { after, limit, failed }: Page & RequestPrinting): Row[] {
  const listed = Array.isArray(list) ? (list as Row[]) : [];
  const rows = failed === true ? listed.filter(isFailed) : listed;
  if (limit === undefined) return rows;
  return after === undefined ? rows.slice(-limit) : rows.slice(0, limit);
}
