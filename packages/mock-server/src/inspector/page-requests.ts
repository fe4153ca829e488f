import { type AdapterAction, isGetOrHead, type PlainRequest, sameOriginHeaders } from '../http/message.ts';

/* Which requests are for the inspector or the documents. Nothing of either is loaded here. */

export const docsPath = '/docs';

/** Whether a path below the control URL is one of the documents. */
export const isDocsPath = (path: string): boolean => path === docsPath || path.startsWith(`${docsPath}/`);

/** The page and what it loads, by path below the control URL, with the media type. */
export const mediaTypes = {
  '/': 'text/html; charset=utf-8',
  '/inspector.js': 'text/javascript; charset=utf-8',
  '/inspector.css': 'text/css; charset=utf-8',
} as const;

export type PagePath = keyof typeof mediaTypes;

export const isPagePath = (path: string): path is PagePath => Object.hasOwn(mediaTypes, path);

/** Whether a control request is for a file of the page or a document. They contain no data, so they need no token. */
export const isPageRequest = (request: PlainRequest, path: string): boolean =>
  isGetOrHead(request) && (isPagePath(path) || isDocsPath(path));

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
