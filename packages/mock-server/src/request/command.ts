import {
  addKeywordsInput,
  type ChangeChatInput,
  changeChatInput,
  chatReadInput,
  getChangedResource,
  isObject,
  type OperationName,
  studioReadInput,
} from '@orgchat/spec';
import type * as z from 'zod';
import type { FaultTarget } from '../faults/faults.ts';
import { findPath } from '../http/known-paths.ts';
import { isJsonType } from '../http/message.ts';
import { abbreviate, truncate } from '../primitives/kept-text.ts';
import { detach } from '../primitives/platform.ts';
import { restoreSpaces } from '../primitives/restore-spaces.ts';
import type { Trace } from '../request-log/trace.ts';
import { describeProblems, findProblems, withoutTexts } from '../why/body-problems.ts';
import type { Cause } from '../why/cause.ts';
import { ApiError } from './api-error.ts';
import type { Command, RequestContext } from './context.ts';

/*
 * What a request asks for: its endpoint, from method and path, and its command, from the body.
 */

const noSuchPath = (cause: Cause): ApiError =>
  new ApiError('NOT_FOUND', cause, { en: 'There is no such path.', ja: 'パスが存在しません。' });

/** The refusal of a request that is not below the base URL (clause 1.4). */
export const outsideBaseUrl = (): ApiError => noSuchPath({ reason: 'outside-base-url' });

/** Finds the endpoint of a method and a path (clause 1.5, D1): 404 or 405 if there is none. */
export function matchRoute(context: RequestContext): void {
  const { path, request, trace, secret } = context;
  if (typeof path !== 'string') throw path;
  const known = findPath(path);
  if (known === undefined) throw noSuchPath({ reason: 'unknown-path' });
  if (known.method !== request.method) {
    const detail = { en: `Use ${known.method}.`, ja: `${known.method}を使用してください。` };
    const cause = { reason: 'wrong-method', allowed: known.method } as const;
    throw new ApiError('METHOD_NOT_ALLOWED', cause, detail, { headers: { Allow: known.method } });
  }
  context.route = known.route;
  // The same text as that of the request, which the log then need not keep.
  if (known.path !== undefined) trace.path = known.path;
  trace.operation = known.route.endpoint;
  trace.sentKey = secret && abbreviate(secret);
  if (known.route.siteId !== undefined) noteSite(context, path, known.route.siteId);
}

/** Notes the site of a path. The path of a site of this mock is kept whole, however long its id is. */
function noteSite({ world, trace }: RequestContext, path: string, siteId: string): void {
  trace.change.siteId = abbreviate(siteId);
  if (trace.path === path) return;
  if ([...world.organizations.values()].some(({ sites }) => sites.has(siteId))) trace.path = detach(path);
}

/** Parses the body by the schema of the endpoint: 400 if it does not match. */
export function parseCommand(context: RequestContext): void {
  const command = parseByEndpoint(context);
  context.command = command;
  noteCommand(context.trace, command);
}

function parseByEndpoint(context: RequestContext): Command {
  const { endpoint, siteId = '' } = context.route;
  if (context.world.rules.requiresJson && endpoint !== 'getAccount') requireJson(context);
  switch (endpoint) {
    case 'getAccount':
      return { endpoint };
    case 'addSeoKeywords':
      return { endpoint, siteId, input: parse(addKeywordsInput, context.body.read()) };
    case 'readChat':
      return { endpoint, input: parse(chatReadInput, context.body.read()) };
    case 'changeChat':
      return { endpoint, input: parseChange(context) };
    case 'readStudio':
      return { endpoint, input: parse(studioReadInput, context.body.read()) };
  }
}

/** Answers 400 to a body with another content type (D5), if the mock was asked to. */
function requireJson({ request }: RequestContext): void {
  const sent = request.header('content-type');
  if (isJsonType(sent)) return;
  throw new ApiError(
    'INVALID_INPUT',
    { reason: 'content-type', sent: truncate(sent) },
    {
      en: 'Content-Type must be application/json.',
      ja: 'Content-Typeはapplication/jsonでなければなりません。',
    },
  );
}

/** The change of a request. A server that does not trim stores the white space that was sent (D16). */
function parseChange({ body, world }: RequestContext): ChangeChatInput {
  const input = parse(changeChatInput, body.read());
  if (world.rules.server.trims || !('data' in input.change)) return input;
  const sent = (body.read() as { readonly change: { readonly data: unknown } }).change;
  return {
    ...input,
    change: { ...input.change, data: restoreSpaces(input.change.data, sent.data) },
  } as ChangeChatInput;
}

function parse<S extends z.ZodType>(schema: S, body: object): z.output<S> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const problems = findProblems(schema, parsed.error, body);
  const cause = { reason: 'invalid-field', problems: withoutTexts(problems), schema } as const;
  throw new ApiError('INVALID_INPUT', cause, (language) => describeProblems(problems, language));
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
