import * as z from 'zod';
import type { PlainRequest } from '../http/message.ts';
import { memoize } from '../memoize.ts';
import type { Mock } from '../mock-interface.ts';
import { maxBodyBytes } from '../mock-limits.ts';
import type { ServedMock } from '../served-mock.ts';

/** One request to the control API. */
export interface ControlRequest {
  /** The parameters of the path, in order. */
  readonly parameters: readonly string[];
  /** The query parameters by name; those of digits are numbers. */
  readonly query: unknown;
  /** The JSON object of the body; an empty object if there was no body. */
  readonly body: unknown;
  readonly request: PlainRequest;
}

/**
 * What only the document of the control API says about a call. A build leaves these fields out: see
 * build-support/omit-call-texts.ts.
 */
interface CallText {
  readonly summary: string;
  readonly description?: string;
  readonly tag: 'Mock' | 'State' | 'Faults' | 'Requests' | 'Records' | 'Clock' | 'Sandboxes';
  /** What each parameter of the path is. */
  readonly parameters?: Readonly<Record<string, { readonly description: string; readonly example: string }>>;
  /** Statuses beside those that every call has. */
  readonly errors?: readonly (404 | 409 | 410 | 503)[];
  /** A body that is accepted. */
  readonly example?: unknown;
  /** The schema of the answer to a success. */
  readonly answer: () => z.ZodType;
}

/** How a call is requested and answered over HTTP. */
interface CallRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the control URL; `{…}` is one percent-encoded segment. */
  readonly path: string;
  /** The status of a success if it is not 200. */
  readonly status?: number;
  /**
   * The schema of the query parameters; omitted if the call accepts none. A parameter of digits becomes a number if the
   * schema does not accept it as a text.
   */
  readonly query?: () => z.ZodObject;
  /** The schema of the request headers that the call reads; omitted if it reads none. */
  readonly headers?: () => z.ZodObject;
  /** The schema of the body; omitted if the call accepts none. */
  readonly body?: () => z.ZodType;
  /** Whether the body must be sent. Default: an absent body means an empty object. */
  readonly bodyRequired?: true;
  /** Maximum size of the body in bytes. Default: `maxBodyBytes`. */
  readonly bodyBytes?: number;
  /** Maximum size of the answer in bytes; omitted if the answer is not limited. */
  readonly answerBytes?: number;
  /** The media type of an answer that is text. Default: the answer is JSON. */
  readonly text?: string;
}

type AnyMethod = (...args: never[]) => unknown;
type MethodsOf<T, Prefix extends string = ''> = {
  readonly [K in keyof T & string as T[K] extends AnyMethod ? `${Prefix}${K}` : never]: T[K];
};

/** The methods of `Mock`, those of a group with its name: `reset`, `faults.arm`. */
export type MockMethods = MethodsOf<Mock> &
  MethodsOf<Mock['faults'], 'faults.'> &
  MethodsOf<Mock['requests'], 'requests.'> &
  MethodsOf<Mock['inject'], 'inject.'> &
  MethodsOf<Mock['clock'], 'clock.'>;

/** A call that is also a method of `Mock`. */
interface MethodCall<Name extends keyof MockMethods> extends CallRoute, CallText {
  readonly mock: Name;
  /** Does the work of the method. It validates its arguments, which may come from a request or from plain JavaScript. */
  readonly run: (mock: ServedMock, ...args: Parameters<MockMethods[Name]>) => ReturnType<MockMethods[Name]>;
  /** The arguments of a request. Default: the parameters of the path, the body, and the query, if the call has them. */
  readonly toArguments?: (request: ControlRequest) => readonly unknown[];
  /** The answer to a request. Default: the result, or `{ ok: true }` if there is none. */
  readonly toAnswer?: (
    result: ReturnType<MockMethods[Name]>,
    request: PlainRequest,
    mock: ServedMock,
  ) => unknown;
}

/** A call that only a request can make. */
interface RequestCall extends CallRoute, CallText {
  readonly mock?: undefined;
  readonly run: (mock: ServedMock) => unknown;
}

/** Calls by the name that the document calls `operationId`. */
export type ControlCalls = Readonly<
  Record<string, { [Name in keyof MockMethods]: MethodCall<Name> }[keyof MockMethods] | RequestCall>
>;

/** Any call, as requests make it. */
export interface ControlCall extends CallRoute, CallText {
  readonly mock?: keyof MockMethods | undefined;
  readonly run: AnyMethod;
  readonly toArguments?: (request: ControlRequest) => readonly unknown[];
  readonly toAnswer?: (result: never, request: PlainRequest, mock: ServedMock) => unknown;
}

const listArguments = (
  { body: bodySchema, query: querySchema }: ControlCall,
  { parameters, body, query }: ControlRequest,
): readonly unknown[] => [
  ...parameters,
  ...(bodySchema === undefined ? [] : [body]),
  ...(querySchema === undefined ? [] : [query]),
];

/** Makes a call: returns the value to answer with, or a promise of it. The call validates what the request has. */
export function makeCall(call: ControlCall, mock: ServedMock, request: ControlRequest): unknown {
  const { run, toArguments, toAnswer } = call;
  const args = toArguments?.(request) ?? listArguments(call, request);
  const result = run(...([mock, ...args] as never[]));
  if (toAnswer !== undefined) return toAnswer(result as never, request.request, mock);
  return result === undefined ? { ok: true } : result;
}

/** The maximum size of the body of a call in bytes; undefined if the call accepts no body. */
export const getBodyLimit = ({ body, bodyBytes = maxBodyBytes }: Partial<CallRoute>): number | undefined =>
  body === undefined ? undefined : bodyBytes;

/** The answer of a call that has no result. */
export const done = memoize(() => z.object({ ok: z.literal(true) }).meta({ id: 'Done' }));
