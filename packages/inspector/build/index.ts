import { bundlePage, type PageFiles } from './bundle-page.ts';

let files: Promise<PageFiles> | undefined;

/**
 * Returns the files of the page. This module is for a mock that runs from its sources, which bundles the page at the
 * first request for it. The builds of the mock server and the CLI embed the files instead.
 */
export function loadPage(): Promise<PageFiles> {
  files ??= bundlePage().then((bundle) => bundle.files);
  return files;
}
