import { getExample } from './curl.ts';
import type { Endpoint } from './openapi.ts';

/** JSON as TypeScript has it: names without quotes, texts in single ones. */
const toLiteral = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replace(/"(\w+)":/g, '$1:')
    .replace(/"([^"'\\]*)"/g, "'$1'");

/** The call of the SDK for each operation of the API, with the input of an example. */
const calls: Readonly<Record<string, (input: unknown) => string>> = {
  getAccount: () => 'account()',
  addSeoKeywords: (input) => `keywords.add('demo-site', ${toLiteral(input)})`,
  readChat: (input) => `readChat(${toLiteral(input)})`,
  changeChat: (input) => `changeChat(${toLiteral((input as { change: unknown }).change)})`,
  readStudio: (input) => `readStudio(${toLiteral(input)})`,
};

/** The request of the first example with the SDK; nothing for an operation that the SDK has not. */
export function toSdkCall(endpoint: Endpoint): string | undefined {
  const call = calls[endpoint.operation.operationId]?.(getExample(endpoint));
  if (call === undefined) return undefined;
  return [
    "import { createClient } from '@orgchat/sdk';",
    '',
    'const client = createClient();',
    `console.log(await client.${call});`,
  ].join('\n');
}
