import { type OperationName, operationNames, operations } from '@orgchat/spec';
import { Refusal } from '../refusal.ts';

export interface Route {
  readonly operation: OperationName;
  /** The site, in the one path that names one. */
  readonly siteId?: string;
}

interface Known {
  readonly method: string;
  readonly route: Route;
}

/** The paths without a parameter. */
const fixed = new Map<string, Known>();
/** The paths with one: what stands before and after it. */
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

function matchParametric(path: string): Known | undefined {
  for (const { before, after, operation } of parametric) {
    if (path.length <= before.length + after.length) continue;
    if (!path.startsWith(before) || !path.endsWith(after)) continue;
    const piece = path.slice(before.length, path.length - after.length);
    const siteId = piece.includes('/') ? undefined : decode(piece);
    if (siteId !== undefined) return { method: operations[operation].method, route: { operation, siteId } };
  }
  return undefined;
}

/** Finds the operation of a method and a path below the base URL (clause 1.5, D1): 404 or 405 where there is none. */
export function match(method: string, path: string): Route {
  const known = fixed.get(path) ?? matchParametric(path);
  if (known === undefined) {
    throw new Refusal('NOT_FOUND', { en: 'There is no such path.', ja: 'パスが存在しません。' });
  }
  if (known.method !== method) {
    const detail = { en: `Use ${known.method}.`, ja: `${known.method}を使用してください。` };
    throw new Refusal('METHOD_NOT_ALLOWED', detail, { headers: { Allow: known.method } });
  }
  return known.route;
}
