import {
  addKeywordsInput,
  changeChatInput,
  chatReadInput,
  describeProblem,
  getChangedResource,
  isObject,
  type OperationName,
  operationNames,
  operations,
  studioReadInput,
} from '@orgchat/spec';
import type * as z from 'zod';
import type { FaultTarget } from '../faults/faults.ts';
import { type Trace, truncate } from '../request-log/trace.ts';
import type { Cause } from '../why/cause.ts';
import { ApiError } from './api-error.ts';
import type { Command, RequestContext, Route } from './context.ts';

/*
 * What a request asks for: its endpoint, from method and path, and its command, from the body.
 */

interface KnownPath {
  /** The path if it has no parameter. */
  readonly path?: string;
  readonly method: string;
  readonly route: Route;
}

/** The paths without a parameter. */
const fixed = new Map<string, KnownPath>();
/** The paths with a parameter: the text before and after it. */
const parametric: { before: string; after: string; endpoint: OperationName }[] = [];

for (const endpoint of operationNames) {
  const { path, method } = operations[endpoint];
  const [before = '', after] = path.split(/\{\w+\}/);
  if (after === undefined) fixed.set(path, { path, method, route: { endpoint } });
  else parametric.push({ before, after, endpoint });
}

function decode(piece: string): string | undefined {
  try {
    return decodeURIComponent(piece);
  } catch {
    return undefined;
  }
}

function matchParametric(path: string): KnownPath | undefined {
  for (const { before, after, endpoint } of parametric) {
    if (path.length <= before.length + after.length) continue;
    if (!path.startsWith(before) || !path.endsWith(after)) continue;
    const piece = path.slice(before.length, path.length - after.length);
    const siteId = piece.includes('/') ? undefined : decode(piece);
    if (siteId !== undefined) return { method: operations[endpoint].method, route: { endpoint, siteId } };
  }
  return undefined;
}

/** Finds the endpoint of a method and a path (clause 1.5, D1): 404 or 405 if there is none. */
export function matchRoute(context: RequestContext): void {
  const { path, request, trace, secret } = context;
  const known = fixed.get(path) ?? matchParametric(path);
  if (known === undefined) {
    const cause = { reason: path === '' ? 'outside-base-url' : 'unknown-path' } as const;
    throw new ApiError('NOT_FOUND', cause, { en: 'There is no such path.', ja: 'パスが存在しません。' });
  }
  if (known.method !== request.method) {
    const detail = { en: `Use ${known.method}.`, ja: `${known.method}を使用してください。` };
    const cause = { reason: 'wrong-method', allowed: known.method } as const;
    throw new ApiError('METHOD_NOT_ALLOWED', cause, detail, { headers: { Allow: known.method } });
  }
  context.route = known.route;
  // The same text as that of the request, which the log then need not keep.
  if (known.path !== undefined) trace.path = known.path;
  trace.operation = known.route.endpoint;
  trace.sentKey = truncate(secret);
}

/** Parses the body by the schema of the endpoint: 400 if it does not match. */
export function parseCommand(context: RequestContext): void {
  const command = parseByEndpoint(context);
  context.command = command;
  noteCommand(context.trace, command);
}

function parseByEndpoint(context: RequestContext): Command {
  const { endpoint, siteId = '' } = context.route;
  switch (endpoint) {
    case 'getAccount':
      return { endpoint };
    case 'addSeoKeywords':
      return { endpoint, siteId, input: parse(addKeywordsInput, context.body.read()) };
    case 'readChat':
      return { endpoint, input: parse(chatReadInput, context.body.read()) };
    case 'changeChat':
      return { endpoint, input: parse(changeChatInput, context.body.read()) };
    case 'readStudio':
      return { endpoint, input: parse(studioReadInput, context.body.read()) };
  }
}

function parse<S extends z.ZodType>(schema: S, body: object): z.output<S> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ApiError('INVALID_INPUT', toCause(schema, parsed.error, body), (language) =>
    describeProblem(parsed.error, body, language),
  );
}

/** Maximum number of unknown fields of a body that the log remembers. */
const maxNames = 10;

const getField = (value: unknown, key: PropertyKey): unknown =>
  (value as Record<PropertyKey, unknown> | null | undefined)?.[key];

/** Keeps the first problem, without its texts: they repeat the body. */
function toCause(schema: z.ZodType, error: z.ZodError, body: object): Cause<'invalid-field'> {
  const [issue, ...more] = error.issues as [z.core.$ZodIssue];
  const isMissing = issue.path.reduce<unknown>(getField, body) === undefined;
  const kept = {
    ...issue,
    message: '',
    ...('keys' in issue && { keys: issue.keys.slice(0, maxNames).map(truncate) }),
  };
  return { reason: 'invalid-field', issue: kept as z.core.$ZodIssue, isMissing, more: more.length, schema };
}

/** Notes in the request log what a valid request asks for. */
function noteCommand(trace: Trace, command: Command): void {
  if (command.endpoint === 'changeChat') {
    const { operationId, change } = command.input;
    trace.change.operationId = operationId;
    trace.change.action = change.action;
    trace.resource = getChangedResource(change.action, 'resource' in change ? change.resource : undefined);
  } else if (command.endpoint === 'readChat' || command.endpoint === 'readStudio') {
    trace.resource = command.input.resource;
  }
}

/**
 * Reads what a request seems to ask for, without validation: faults are matched with it, and the request log shows it
 * for a request that was refused before its body was parsed.
 */
export function peekCommand({ secret, body }: RequestContext, endpoint: OperationName): FaultTarget {
  const value = body.peek();
  if (endpoint !== 'changeChat') {
    const resource = getText(value, 'resource');
    return { operation: endpoint, key: secret, action: undefined, resource, operationId: undefined };
  }
  const change = getProperty(value, 'change');
  const action = getText(change, 'action');
  const resource = getChangedResource(action, getText(change, 'resource'));
  const operationId = getText(value, 'operationId');
  return { operation: endpoint, key: secret, action, resource, operationId };
}

const getProperty = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

function getText(value: unknown, name: string): string | undefined {
  const text = getProperty(value, name);
  return typeof text === 'string' ? text : undefined;
}
