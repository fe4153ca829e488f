import { OrgChatError } from './errors/index.ts';

interface Surroundings {
  readonly window?: { readonly navigator?: { readonly userAgent?: unknown } };
  readonly document?: unknown;
  readonly Deno?: unknown;
  readonly Bun?: unknown;
}

/** A page that people visit: not a worker, nor a runtime or a test environment that lends itself a document. */
export function isBrowserPage({ window, document, Deno, Bun }: Surroundings): boolean {
  if (!window || !document || Deno || Bun) return false;
  return !/jsdom|happy-?dom/i.test(`${window.navigator?.userAgent}`);
}

/** Anybody who can open the page could take the key out of it. */
export function refuseBrowserPage(): void {
  if (isBrowserPage(globalThis as Surroundings)) {
    throw new OrgChatError('API keys must not be used in browser pages. Call the API from a server.', {
      code: 'BROWSER_REFUSED',
    });
  }
}
