import { operations } from '../src/index.ts';

/** The endpoints by the names of the specification: all that the SDK needs to address and to name a request. */
export function sdkEndpoints(): string {
  const addresses = Object.fromEntries(
    Object.entries(operations).map(([name, { method, path }]) => [name, { method, path }]),
  );
  return [
    '/** Method and path of each endpoint. `{siteId}` is the only parameter of a path. */',
    `export const endpoints = ${JSON.stringify(addresses, null, 2)} as const;`,
    '',
    '/** An endpoint of the API, by the name that the specification gives its operation. */',
    `export type OperationName = ${Object.keys(operations)
      .map((name) => `'${name}'`)
      .join(' | ')};`,
    '',
  ].join('\n');
}
