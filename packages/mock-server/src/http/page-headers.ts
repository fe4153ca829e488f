/** Headers that prevent pages of other origins from reading or running responses that are not part of the API. */
export const sameOriginHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
};
