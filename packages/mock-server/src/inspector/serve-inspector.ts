import type { NodeServices } from '../served-mock.ts';
import { isDocsPath, prefersPage } from './page-requests.ts';
import { serveDocs } from './serve-docs.ts';
import { servePage } from './serve-page.ts';

export const serveInspector: NodeServices['serveInspector'] = (mock, request, file, requestId) => {
  if (!isDocsPath(file)) return servePage(file, requestId);
  const { controlUrl } = mock.addresses(request.origin());
  const { query } = request;
  return serveDocs({ path: file, query, controlUrl, isBrowser: prefersPage(request), requestId });
};
