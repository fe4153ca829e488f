/** The version of the contract document, not of the API (SPECIFICATION.md, section 10). */
export const contractVersion = '0.1.0';
/** The version prefix, part of every base URL. */
export const basePath = '/api/v1';
