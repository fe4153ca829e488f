import { channel } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import type { LoggedRequest } from '../http/message.ts';
import type { RequestLogEntry } from './trace.ts';

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
}

/** The channel of requests. Check `hasSubscribers` first, so that requests cost nothing without a subscriber. */
export const httpRequestChannel = channel('orgchat.mock.request');

/** Publishes the log entry of a request together with its response. */
export const publishRequest =
  (response: ServerResponse) =>
  (trace: LoggedRequest): void => {
    const getEntry = () => trace.toEntry() as RequestLogEntry;
    httpRequestChannel.publish({ response, getEntry } satisfies RequestMessage);
  };
