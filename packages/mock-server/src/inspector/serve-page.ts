import { type AdapterAction, isGetOrHead, type PlainRequest, sameOriginHeaders } from '../http/message.ts';
import { pageHeaders } from './page-headers.ts';
import { isDocsPath } from './serve-docs.ts';

/** The page and what it loads, by path below the control URL, with the media type. */
const mediaTypes = {
  '/': 'text/html; charset=utf-8',
  '/inspector.js': 'text/javascript; charset=utf-8',
  '/inspector.css': 'text/css; charset=utf-8',
} as const;

type PagePath = keyof typeof mediaTypes;

const isPagePath = (path: string): path is PagePath => Object.hasOwn(mediaTypes, path);

/** Whether a control request is for a file of the page or a document. They contain no data, so they need no token. */
export const isPageRequest = (request: PlainRequest, path: string): boolean =>
  isGetOrHead(request) && (isPagePath(path) || isDocsPath(path));

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

/** Whether a request comes from the address line of a browser or from a link. Other programs rarely accept HTML. */
export const prefersPage = (request: PlainRequest): boolean =>
  (request.header('accept') ?? '').includes('text/html');

/** Sends a browser to the page. */
export function redirectToPage(controlUrl: string, requestId: string): AdapterAction {
  const headers = {
    Location: `${controlUrl}/`,
    Vary: 'Accept',
    'X-Request-Id': requestId,
    ...sameOriginHeaders,
  };
  return { kind: 'answer', response: { status: 302, headers, body: '' } };
}
