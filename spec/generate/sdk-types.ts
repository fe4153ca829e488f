import openapiTS, { astToString } from 'openapi-typescript';
import type { openApiDocument } from './document.ts';

/** The SDK's types of the contract. */
export async function sdkTypes(document: ReturnType<typeof openApiDocument>): Promise<string> {
  // A field with a default would otherwise become required in requests.
  const ast = await openapiTS(structuredClone(document) as Parameters<typeof openapiTS>[0], {
    defaultNonNullable: false,
  });
  return astToString(ast).replaceAll(
    'discriminator enum property added by openapi-typescript',
    'Selects the variant.',
  );
}
