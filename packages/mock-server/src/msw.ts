import { HttpResponse, http, type RequestHandler } from 'msw';
import type { Mock } from './mock-interface.ts';

/**
 * Creates handlers for msw's `setupServer`, or for `setupWorker` with a mock of `@orgchat/mock-server/browser`: it answers every request below `baseUrl`. A request
 * whose connection a fault resets rejects, like msw's `HttpResponse.error()`.
 */
export function handlers(
  mock: Pick<Mock, 'baseUrl' | 'fetch'>,
  baseUrl: string = mock.baseUrl,
): RequestHandler[] {
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
  // A path pattern of msw would decode the path, and fail if the path cannot be decoded.
  return [http.all(new RegExp(`^${base.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}/`), answer)];
}
