import { sameOriginHeaders } from '../http/message.ts';

/**
 * Allows nothing but the files of the page and calls of its own server. Text of the API cannot become markup or script,
 * even through a mistake in the page.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** The headers of everything that a browser shows as a page. */
export const pageHeaders: Readonly<Record<string, string>> = {
  ...sameOriginHeaders,
  'Content-Security-Policy': contentSecurityPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-cache',
};
