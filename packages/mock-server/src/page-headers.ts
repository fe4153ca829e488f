/** Headers that keep pages of other origins from reading or running what is served beside the API. */
export const notForPages: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
};
