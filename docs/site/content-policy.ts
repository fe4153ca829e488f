import { createHash } from 'node:crypto';

/** What a page may load: files of the site, and its own scripts in the page by their digests. */
const listRules = (digests: readonly string[]): readonly string[] => [
  "default-src 'none'",
  `script-src ${["'self'", ...digests.map((digest) => `'sha256-${digest}'`)].join(' ')}`,
  // The digest is that of VitePress' style without transitions, while the scheme changes.
  "style-src 'self' 'sha256-skqujXORqzxt1aE0NNXxujEanPTX6raoqSscTV/Ww/Y='",
  // The colors of code are attributes.
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  // The playground runs code in a worker of its own.
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
];

/** Adds the Content-Security-Policy to a page, before anything that it applies to. */
export function addPolicy(html: string): string {
  const digests = Array.from(
    html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g),
    ([, code = '']) => createHash('sha256').update(code).digest('base64'),
  );
  const policy = listRules([...new Set(digests)]).join('; ');
  return html.replace('<head>', `<head>\n<meta http-equiv="Content-Security-Policy" content="${policy}">`);
}
