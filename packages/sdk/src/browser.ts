import { OrgChatError } from './errors/index.ts';

interface Surroundings {
  readonly window?: { readonly navigator?: { readonly userAgent?: unknown } };
  readonly document?: unknown;
  readonly navigator?: { readonly userAgent?: unknown };
  readonly process?: { readonly type?: unknown };
  readonly Deno?: unknown;
  readonly Bun?: unknown;
}

/** A page that people visit: not a worker, nor a runtime or a test environment that lends itself a document. */
export function isBrowserPage({ window, document, navigator, process, Deno, Bun }: Surroundings): boolean {
  // In Electron's main process it is no page; its renderers are pages.
  if (!window || !document || Deno || Bun || process?.type === 'browser') return false;
  return !/jsdom|happy-?dom/i.test(`${window.navigator?.userAgent} ${navigator?.userAgent}`);
}

/** Anybody who can open the page could take the key out of it. */
export function refuseBrowserPage(): void {
  if (isBrowserPage(globalThis as Surroundings)) {
    throw new OrgChatError('API keys are for servers, not browser pages', { code: 'BROWSER_REFUSED' });
  }
}
