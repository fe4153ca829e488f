/** What a message says about the request it is about. */
export interface RequestFacts {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The action of a change or the resource of a read. */
  readonly subject?: string | undefined;
}

type Part = string | number | undefined;

/** Joins the parts that there are by spaces. */
export function joinParts(...parts: readonly Part[]): string {
  return parts.filter((part) => part !== undefined).join(' ');
}

/** Formats the end of a message: `(POST /chat/changes create-tags: 503 BUSY)`. */
export function formatRequest({ method, path, subject }: RequestFacts, ...codes: readonly Part[]): string {
  return `(${joinParts(method, path, subject)}: ${joinParts(...codes)})`;
}
