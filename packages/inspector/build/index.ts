import { bundlePage, type PageFiles } from './bundle-page.ts';
import { type DocFiles, renderDocs } from './render-docs.ts';

let files: Promise<PageFiles> | undefined;
let docs: Promise<DocFiles> | undefined;

/**
 * Returns the files of the page. This module is for a mock that runs from its sources, which bundles the page at the
 * first request for it. The builds of the mock server and the CLI embed the files instead.
 */
export function loadPage(): Promise<PageFiles> {
  files ??= bundlePage().then((bundle) => bundle.files);
  return files;
}

/** Returns the documents that clauses and decisions are looked up in. */
export function loadDocs(): Promise<DocFiles> {
  docs ??= renderDocs();
  return docs;
}
