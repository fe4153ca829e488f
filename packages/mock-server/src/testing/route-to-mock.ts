import type { Mock } from '../mock-interface.ts';

/** A request that a browser sent, as Playwright has it. */
interface Route {
  request(): {
    url(): string;
    method(): string;
    allHeaders(): Promise<Record<string, string>>;
    postDataBuffer(): Buffer | null;
  };
  fulfill(answer: { status: number; headers: Record<string, string>; body: Buffer }): Promise<void>;
  abort(reason: string): Promise<void>;
}

/** A page or a browser context of Playwright. */
export interface Routed {
  route(matches: (url: URL) => boolean, answer: (route: Route) => Promise<void>): Promise<unknown>;
}

/** Lets a mock answer what a page sends below `baseUrl`. A reset connection is one for the page, too. */
export async function routeToMock(target: Routed, baseUrl: string, mock: Mock): Promise<void> {
  const base = baseUrl.replace(/\/+$/, '');
  const { origin, pathname } = new URL(base);
  await target.route(
    (url) => url.origin === origin && (url.pathname === pathname || url.pathname.startsWith(`${pathname}/`)),
    async (route) => {
      const request = route.request();
      const { pathname: path, search } = new URL(request.url());
      const headers = await request.allHeaders();
      const body = request.postDataBuffer();
      const from = headers.origin ?? '*';
      const cors = {
        'access-control-allow-origin': from,
        'access-control-allow-headers': '*, authorization',
      };
      if (request.method() === 'OPTIONS')
        return route.fulfill({ status: 204, headers: cors, body: Buffer.alloc(0) });
      try {
        const response = await mock.fetch(`${mock.baseUrl}${path.slice(pathname.length)}${search}`, {
          method: request.method(),
          headers: Object.entries(headers).filter(([name]) => !name.startsWith(':')) as [string, string][],
          ...(body !== null && { body }),
        });
        const answer = Buffer.from(await response.arrayBuffer());
        await route.fulfill({
          status: response.status,
          headers: { ...Object.fromEntries(response.headers), ...cors },
          body: answer,
        });
      } catch {
        await route.abort('connectionreset');
      }
    },
  );
}
