import type { AdapterAction } from '../http/message.ts';
import { findEntry } from './find-entry.ts';
import { nameOrigin } from './name-origin.ts';
import { pageHeaders } from './page-headers.ts';
import { docsPath } from './page-requests.ts';

/* The texts of clauses and decisions: pages for a browser, Markdown for other programs. They contain no data. */

interface DocsRequest {
  /** Below the control URL. */
  readonly path: string;
  /** What the reader came from, as a link of the page names it. */
  readonly query: string;
  readonly controlUrl: string;
  /** Whether the client prefers HTML. */
  readonly isBrowser: boolean;
  readonly requestId: string;
}

/** Answers with a document, or with one clause or decision of it. A browser gets the page, at the place that it asked for. */
export async function serveDocs({
  path,
  query,
  controlUrl,
  isBrowser,
  requestId,
}: DocsRequest): Promise<AdapterAction> {
  const docsUrl = controlUrl + docsPath;
  const headers = { ...pageHeaders, Vary: 'Accept', 'X-Request-Id': requestId };
  const answer = (status: number, type: string, body: string): AdapterAction => ({
    kind: 'answer',
    response: { status, headers: { ...headers, 'Content-Type': type }, body },
  });
  const markdown = (text: string): AdapterAction => answer(200, 'text/markdown; charset=utf-8', text);
  const redirect = (to: string): AdapterAction => ({
    kind: 'answer',
    response: { status: 302, headers: { ...headers, Location: `${docsUrl}/${to}` }, body: '' },
  });

  const name = path.slice(docsPath.length + 1);
  if (name === '') return isBrowser ? redirect('specification') : markdown(listDocuments(docsUrl));
  const { loadDocs } = await import('@orgchat/inspector');
  const docs = await loadDocs();
  if (name === 'specification' || name === 'decisions') {
    const { html, markdown: text } = docs[name];
    return isBrowser ? answer(200, 'text/html; charset=utf-8', nameOrigin(html, query)) : markdown(text);
  }
  const document = name.startsWith('D') ? 'decisions' : 'specification';
  const entry = findEntry(docs[document].markdown, name);
  if (entry !== undefined) return isBrowser ? redirect(`${document}#${name}`) : markdown(entry);
  const message = `There is no such clause or decision. ${docsUrl}/specification has all clauses, and ${docsUrl}/decisions all decisions.`;
  return answer(404, 'application/json', JSON.stringify({ error: 'NOT_FOUND', message }));
}

const listDocuments = (docsUrl: string): string =>
  [
    '# Documents of this mock',
    '',
    `- ${docsUrl}/specification: the contract. Each clause has a number.`,
    `- ${docsUrl}/decisions: what this toolkit does if the contract says nothing.`,
    `- ${docsUrl}/4.4.40, ${docsUrl}/D62: the text of one clause or decision.`,
    '',
  ].join('\n');
