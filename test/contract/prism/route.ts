import type { ValidateFunction } from 'ajv';
import { document, validator } from '../../../spec/test-support/document.ts';

/** The route of a request to the mock. */
export type Route =
  | { readonly kind: 'strict' | 'lenient'; readonly contentType: string; readonly body: string | undefined }
  /** Prism cannot forward it. */
  | { readonly kind: 'around' };

interface Operation {
  readonly method: string;
  readonly path: RegExp;
  readonly accepts: ValidateFunction | undefined;
}

const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { requestBody }]) => {
    const reference = requestBody?.content['application/json'].schema.$ref;
    return {
      method: method.toUpperCase(),
      path: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
      accepts: reference === undefined ? undefined : validator(reference),
    };
  }),
);

/** Prism's body limit. */
const prismLimit = 10 * 1024 * 1024;

/** Chooses the route of a request: strict if the document allows it. `contentType` is what the client sent. */
export function routeOf(
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  target: string,
  bytes: Uint8Array | undefined,
  contentType = 'application/json',
): Route {
  const body = decodeText(bytes);
  if (body === null || (bytes?.length ?? 0) > prismLimit) return { kind: 'around' };
  const [path = ''] = target.split('?');
  const operation = operations.find((one) => one.method === method && one.path.test(path));
  // HTTP allows other spellings of the scheme; Prism accepts only this one.
  const hasKey = /^Bearer \S+$/.test(headers.get('authorization') ?? '');
  if (operation !== undefined && hasKey && contentType === 'application/json' && isAllowed(operation, body))
    return { kind: 'strict', contentType, body };
  // Prism forwards plain text without changes.
  return { kind: 'lenient', contentType: 'text/plain', body };
}

/** Null if the bytes are not UTF-8. */
function decodeText(bytes: Uint8Array | undefined): string | undefined | null {
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function isAllowed({ accepts }: Operation, body: string | undefined): boolean {
  if (accepts === undefined) return body === undefined;
  try {
    const value: unknown = JSON.parse(body ?? '');
    // Prism serializes JSON again, so text in any other form would not reach the mock.
    return JSON.stringify(value) === body && accepts(value);
  } catch {
    return false;
  }
}
