import type { ValidateFunction } from 'ajv';
import { document, validator } from '../../spec/testing/document.ts';

/** How a request gets to the mock. */
export type Way =
  | { readonly kind: 'strict' | 'lenient'; readonly contentType: string; readonly body: string | undefined }
  /** Prism cannot carry it. */
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

/** The largest body that Prism reads. */
const prismLimit = 10 * 1024 * 1024;

/** Finds the way of a request: strict where the document allows it. `contentType` is what its sender says of the body. */
export function wayOf(
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  target: string,
  bytes: Uint8Array | undefined,
  contentType = 'application/json',
): Way {
  const body = textOf(bytes);
  if (body === null || (bytes?.length ?? 0) > prismLimit) return { kind: 'around' };
  const [path = ''] = target.split('?');
  const operation = operations.find((one) => one.method === method && one.path.test(path));
  // HTTP has other spellings of the scheme; Prism knows this one.
  const hasKey = /^Bearer \S+$/.test(headers.get('authorization') ?? '');
  if (operation !== undefined && hasKey && contentType === 'application/json' && isAllowed(operation, body))
    return { kind: 'strict', contentType, body };
  // As plain text it is sent on as it is, to the byte.
  return { kind: 'lenient', contentType: 'text/plain', body };
}

/** Null where it is no text. */
function textOf(bytes: Uint8Array | undefined): string | undefined | null {
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
    // Prism writes JSON anew, and so the test of a text written in another way would be none.
    return JSON.stringify(value) === body && accepts(value);
  } catch {
    return false;
  }
}
