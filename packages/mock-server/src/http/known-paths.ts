import { type OperationName, operationNames, operations } from '@orgchat/spec';

/* The paths of the contract, below the base URL. */

/** The endpoint of a method and a path; public fields call it `operation`. */
export interface Route {
  readonly endpoint: OperationName;
  /** The site, in the one path that names a site. */
  readonly siteId?: string;
}

export interface KnownPath {
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

/** Finds a path of the contract; undefined if it has none such (clause 1.5, D1). */
export const findPath = (path: string): KnownPath | undefined => fixed.get(path) ?? matchParametric(path);
