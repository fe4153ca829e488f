import type { AdapterAction } from '../http/message.ts';
import { pageHeaders } from './page-headers.ts';
import { isPagePath, mediaTypes, type PagePath } from './page-requests.ts';

/** Answers with a file of the page. It is loaded at the first request for one, so that starting a mock costs nothing. */
export async function servePage(path: string, requestId: string): Promise<AdapterAction> {
  const { loadPage } = await import('@orgchat/inspector');
  const { html, script, style } = await loadPage();
  const bodies: Readonly<Record<PagePath, string>> = {
    '/': html,
    '/inspector.js': script,
    '/inspector.css': style,
  };
  const file = isPagePath(path) ? path : '/';
  const headers = { 'Content-Type': mediaTypes[file], 'X-Request-Id': requestId, ...pageHeaders };
  return { kind: 'answer', response: { status: 200, headers, body: bodies[file] } };
}
