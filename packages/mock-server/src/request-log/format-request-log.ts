import type { DecidedBy } from '../why/cause.ts';
import type { DroppedRequests } from './request-log.ts';
import type { RequestLogEntry } from './trace.ts';

/** A mock whose request log is formatted. */
interface LoggedMock {
  readonly requests: {
    list(): readonly RequestLogEntry[];
    dropped(): DroppedRequests;
  };
}

/**
 * One line per request: `req-2 create-tags 200, applied, lose-response`. A request without a success has a second line:
 * why, and what would have passed.
 */
export function formatRequest(entry: RequestLogEntry): string {
  const { requestId, operation, action, status, error, applied, replayOf, faults, answered } = entry;
  const line = `${requestId} ${action ?? operation ?? '?'} ${status ?? 'no answer'}${error === null ? '' : ` ${error}`}${
    applied ? ', applied' : ''
  }${replayOf === null ? '' : `, replay of ${replayOf}`}${faults.map((fault) => `, ${fault}`).join('')}`;
  if (error === null && answered) return line;
  return [line, ...listReasons(entry.decidedBy).map((reason) => `    ${reason}`)].join('\n');
}

/** Why, and the problems of a body if there are several: the reason names only the first. */
const listReasons = ({ because, problems = [], moreProblems = 0 }: DecidedBy): string[] => [
  because,
  ...(problems.length < 2 ? [] : problems.map(({ message }) => `- ${message}`)),
  ...(moreProblems === 0 ? [] : [`- and ${moreProblems} more`]),
];

/** The requests that a mock received, as a text for a report. */
export function formatRequestLog({ requests }: LoggedMock): string {
  const entries = requests.list();
  const { entries: dropped } = requests.dropped();
  const more = dropped === 0 ? '' : ` (${dropped} earlier ones were dropped)`;
  if (entries.length === 0) return `The mock received no requests in this test${more}.`;
  return [
    `Requests that the mock received${more}:`,
    ...entries.map((entry) => `  ${formatRequest(entry)}`),
  ].join('\n');
}
