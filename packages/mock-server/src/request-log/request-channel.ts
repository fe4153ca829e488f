import { channel } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import type { LoggedRequest } from '../http/message.ts';
import type { RequestLogEntry } from './trace.ts';

/** The message on the channel `orgchat.mock.request` for each request of the API that arrives over HTTP. */
export interface RequestMessage {
  /** Where the answer is written. Its event `close` says that the request has ended. */
  readonly response: ServerResponse;
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
