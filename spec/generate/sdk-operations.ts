import { operations } from '../src/index.ts';

/** The operations as the specification names them: all that the SDK needs to address and to name a request. */
export function sdkOperations(): string {
  const addresses = Object.fromEntries(
    Object.entries(operations).map(([name, { method, path }]) => [name, { method, path }]),
  );
  return [
    '/** Method and path of each operation. `{siteId}` is the only parameter of a path. */',
    `export const operations = ${JSON.stringify(addresses, null, 2)} as const;`,
    '',
    '/** An operation of the API, by the name the specification gives it. */',
    `export type OperationName = ${Object.keys(operations)
      .map((name) => `'${name}'`)
      .join(' | ')};`,
    '',
  ].join('\n');
}
