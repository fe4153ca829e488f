import { channel } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import type { LoggedRequest } from '../http/message.ts';
import { toHarEntry } from './har.ts';
import { type RequestDetail, toDetail } from './request-detail.ts';
import type { RequestLogEntry, Trace } from './trace.ts';

/** The message on the channel `orgchat.mock.request` for each request of the API that arrives over HTTP. */
export interface RequestMessage {
  /** The `ServerResponse` of Node, in a type that does not need those of Node. */
  readonly response: {
    readonly statusCode: number;
    /** Whether the whole answer was written. */
    readonly writableFinished: boolean;
    /** The request has ended. */
    once(event: 'close', listener: () => void): unknown;
  };
  /** Returns the entry of the request log as it is now. It is complete once the request has ended. */
  readonly getEntry: () => RequestLogEntry;
  /** Like `getEntry`, with headers and bodies. */
  readonly getDetail: () => RequestDetail;
  /** The entry of an HTTP archive (HAR 1.2). */
  readonly getHarEntry: (baseUrl: string) => object;
}

/** The channel of requests. Check `hasSubscribers` first, so that requests cost nothing without a subscriber. */
export const httpRequestChannel = channel('orgchat.mock.request');

/** Publishes the log entry of a request together with its response. */
export const publishRequest =
  (response: ServerResponse) =>
  (logged: LoggedRequest): void => {
    const trace = logged as Trace;
    httpRequestChannel.publish({
      response,
      getEntry: () => trace.toEntry(),
      getDetail: () => toDetail(trace),
      getHarEntry: (baseUrl) => toHarEntry(trace, baseUrl),
    } satisfies RequestMessage);
  };
