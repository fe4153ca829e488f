/* The names of a file journal's files: UUID.DIGEST.json, claims of it, and drafts of both. */

export const entryName = /^[0-9a-f-]{36}\.[0-9a-f]{16}\.json$/;
export const claimName = /^([0-9a-f-]{36}\.[0-9a-f]{16}\.json)(?:\.[0-9a-f]{16})?\.claim$/;
export const draftName =
  /^[0-9a-f-]{36}\.[0-9a-f]{16}\.json(?:(?:\.[0-9a-f]{16})?\.claim)?\.\d+\.[\w-]+\.tmp$/;
