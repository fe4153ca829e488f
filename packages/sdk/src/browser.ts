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
export function isBrowserPage(here: Surroundings): boolean {
  if (typeof here.window !== 'object' || typeof here.document !== 'object') return false;
  if (here.Deno !== undefined || here.Bun !== undefined) return false;
  // Electron's main process; its renderers are pages.
  if (here.process?.type === 'browser') return false;
  const agents = [here.window?.navigator?.userAgent, here.navigator?.userAgent];
  return !agents.some((agent) => typeof agent === 'string' && /jsdom|happy-?dom/i.test(agent));
}

/** Anybody who can open the page could take the key out of it. */
export function refuseBrowserPage(): void {
  if (!isBrowserPage(globalThis as Surroundings)) return;
  const message = 'an API key must never be in a browser page: call this API from a server of yours';
  throw new OrgChatError(message, { code: 'BROWSER_REFUSED' });
}
