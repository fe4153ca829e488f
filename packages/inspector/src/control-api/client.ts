import { signal } from '@preact/signals';
import { token } from './token.ts';

/** The control URL of the mock that served this page, with a slash at its end. */
const controlUrl = new URL('.', location.href.split('#')[0]).href;

/** The URL that clients of this mock use. */
export const baseUrl = controlUrl.replace(/_mock\/$/, 'api/v1');

/** What of a path belongs to the mock; a proxy may have put something before it. */
const ownPath = /(?:\/_sandbox\/[^/]+)?\/_mock\/?$/;

/**
 * The path of another control URL of this server, such as that of a sandbox. It is below the address of this page, which may
 * be one of a proxy that the mock does not know.
 */
export function controlPath(url: string): string {
  const [own = ''] = ownPath.exec(new URL(url).pathname) ?? [];
  return new URL(controlUrl).pathname.replace(ownPath, own);
}

/** A call that the mock refused, or did not answer. The message is for people. */
export class ControlCallError extends Error {
  /** Undefined if there was no answer. */
  readonly status: number | undefined;
  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** Whether the mock requires a token that this page does not have. */
export const needsToken = signal(false);

/** Sends a call of the control API. Throws a `ControlCallError` if there is no answer. */
export async function sendControl(method: string, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (token.value !== undefined) headers.set('Authorization', `Bearer ${token.value}`);
  try {
    const response = await fetch(new URL(path, controlUrl).href, {
      ...init,
      method,
      headers,
      cache: 'no-store',
    });
    needsToken.value = response.status === 401;
    return response;
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ControlCallError('The mock does not answer. Is it still running?');
  }
}

/** Makes a call and returns the JSON of its answer. Throws a `ControlCallError` if the mock refuses it. */
export async function callControl<T>(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<T> {
  const response = await sendControl(method, path, {
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    }),
    ...(signal !== undefined && { signal }),
  });
  if (!response.ok) throw await toError(response);
  return (await response.json()) as T;
}

/** What the mock says about a call that it refused. */
export async function toError(response: Response): Promise<ControlCallError> {
  const body: unknown = await response.json().catch(() => undefined);
  const { message = `The mock answered ${response.status}.` } = (body ?? {}) as { message?: string };
  return new ControlCallError(message, response.status);
}

/** The words of anything that was thrown. */
export const toMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
