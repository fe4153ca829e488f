import type { Row } from '../output/output.ts';

/** Which part of the request log to read. */
export interface Page {
  readonly after?: number;
  readonly limit?: number;
}

/** How to print requests. */
export interface RequestPrinting {
  /** Adds a line that says why the request ended as it did. */
  readonly why?: true;
}

/** Columns of a table of requests. */
export const requestColumns = ['id', 'operation', 'action', 'key', 'status', 'applied'];

/** The name of the key for people; the masked key if no key of the mock has it. */
export const showKey = ({ key, keyName }: Row): unknown => keyName ?? key;

/** The query of a page: `?after=5&limit=10`, or an empty text. */
export function toPageQuery({ after, limit }: Page): string {
  const parameters = Object.entries({ after, limit }).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(
    Object.fromEntries(parameters.map(([name, value]) => [name, String(value)])),
  );
  return parameters.length === 0 ? '' : `?${query}`;
}
