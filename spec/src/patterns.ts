/** The fixed forms of the contract's values, without the schemas, so that programs that need no schema can use them. */
export const patterns = {
  /** Printable ASCII without spaces: what an HTTP header can carry behind `Bearer`. */
  apiKey: /^[\x21-\x7e]+$/,
  /** Hexadecimal digits grouped 8-4-4-4-12; version bits are not checked (D18). */
  uuid: /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/,
  /** A link in a placeholder `{link:…}`: looser than a UUID (5.12.4). */
  linkId: /^[0-9a-f-]{36}$/,
  friendId: /^U[0-9a-f]{32}$/,
  revision: /^[0-9a-f]{64}$/,
} as const;
