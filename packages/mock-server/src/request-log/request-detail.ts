import { answerHeaders } from '../http/message.ts';
import { formatStoredAnswer } from '../operations/lifecycle.ts';
import { listHeaders } from './headers.ts';
import { type KeptBody, type LoggedBody, toShownBody } from './logged-body.ts';
import type { RequestLogEntry, Trace } from './trace.ts';

/** A request as it came. */
export interface LoggedRequest extends LoggedBody {
  /** Without `?`; empty if there was none. */
  readonly query: string;
  /** By lowercase names; keys are masked. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A response as it was made, without the headers that an adapter adds for its transport. */
export interface LoggedResponse extends LoggedBody {
  readonly headers: Readonly<Record<string, string>>;
}

/** A request in the log with headers and bodies. */
export interface RequestDetail extends RequestLogEntry {
  readonly request: LoggedRequest;
  /** Null if no response was made. A response that a fault lost is here too. */
  readonly response: LoggedResponse | null;
}

export const toDetail = (trace: Trace): RequestDetail => ({
  ...trace.toEntry(),
  request: {
    query: trace.query,
    headers: listHeaders(trace.requestHeaders, trace.requestBytes),
    ...toShownBody(trace.requestBody, trace.requestBytes),
  },
  response:
    // Every response has a status.
    trace.status === undefined
      ? null
      : {
          headers: lowerCaseNames({ ...answerHeaders(trace.requestId), ...trace.decision?.headers }),
          ...toShownBody(getResponseBody(trace), trace.responseBytes),
        },
});

const lowerCaseNames = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** The body of a response; made again if the log refers to the stored answer of a change. */
export function getResponseBody({ responseBody, replayOf }: Trace): KeptBody | undefined {
  const isStored = typeof responseBody === 'object' && 'result' in responseBody;
  return isStored ? formatStoredAnswer(responseBody, replayOf !== undefined) : responseBody;
}
