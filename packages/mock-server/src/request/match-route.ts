import { type OperationName, operationNames, operations } from '@orgchat/spec';
import { truncate } from '../request-log/request-log.ts';
import { ApiError } from './api-error.ts';
import type { RequestContext, Route } from './context.ts';

interface KnownPath {
  readonly method: string;
  readonly route: Route;
}

/** The paths without a parameter. */
const fixed = new Map<string, KnownPath>();
/** The paths with a parameter: the text before and after it. */
const parametric: { before: string; after: string; operation: OperationName }[] = [];

for (const operation of operationNames) {
  const { path, method } = operations[operation];
  const [before = '', after] = path.split(/\{\w+\}/);
  if (after === undefined) fixed.set(path, { method, route: { operation } });
  else parametric.push({ before, after, operation });
}

function decode(piece: string): string | undefined {
  try {
    return decodeURIComponent(piece);
  } catch {
    return undefined;
  }
}

function matchParametric(path: string): KnownPath | undefined {
  for (const { before, after, operation } of parametric) {
    if (path.length <= before.length + after.length) continue;
    if (!path.startsWith(before) || !path.endsWith(after)) continue;
    const piece = path.slice(before.length, path.length - after.length);
    const siteId = piece.includes('/') ? undefined : decode(piece);
    if (siteId !== undefined) return { method: operations[operation].method, route: { operation, siteId } };
  }
  return undefined;
}

/** Finds the operation of a method and a path (clause 1.5, D1): 404 or 405 if there is none. */
export function matchRoute(context: RequestContext): void {
  const { path, request, trace, secret } = context;
  const known = fixed.get(path) ?? matchParametric(path);
  if (known === undefined) {
    throw new ApiError('NOT_FOUND', { en: 'There is no such path.', ja: 'パスが存在しません。' });
  }
  if (known.method !== request.method) {
    const detail = { en: `Use ${known.method}.`, ja: `${known.method}を使用してください。` };
    throw new ApiError('METHOD_NOT_ALLOWED', detail, { headers: { Allow: known.method } });
  }
  context.route = known.route;
  trace.operation = known.route.operation;
  trace.key = truncate(secret);
}
