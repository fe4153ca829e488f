import { HttpResponse, http, type RequestHandler } from 'msw';
import type { Mock } from './mock.ts';

/**
 * Handlers for `setupServer` or `setupWorker` of msw: whatever is sent below `baseUrl` is answered by the mock. A
 * connection that a fault resets is rejected, as msw's `HttpResponse.error()` is.
 */
export function handlers(mock: Mock, baseUrl: string = mock.baseUrl): RequestHandler[] {
  const base = baseUrl.replace(/\/+$/, '');
  const { pathname } = new URL(base);
  const answer = async ({ request }: { request: Request }): Promise<Response> => {
    const { pathname: path, search } = new URL(request.url);
    const target = `${mock.baseUrl}${path.slice(pathname.length)}${search}`;
    try {
      return await mock.fetch(new Request(target, request));
    } catch (error) {
      if (request.signal.aborted) throw error;
      return HttpResponse.error();
    }
  };
  // A pattern of msw would decode the path, and give up where it is not to be decoded.
  return [http.all(new RegExp(`^${base.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}/`), answer)];
}
