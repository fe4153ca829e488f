/*
 * The OpenAPI documents as texts, for the mock server, which hands them out. The texts and the YAML library are loaded
 * only when a document is asked for.
 */

/** The text of spec/openapi.yaml: OpenAPI 3.1. */
export async function readOpenApiYaml(): Promise<string> {
  const { openapiYaml } = await import('../generated/openapi-yaml.ts');
  return openapiYaml;
}

/** Parses the text of a document. */
export async function parseOpenApiYaml(text: string): Promise<unknown> {
  const { parse } = await import('./yaml.ts');
  return parse(text);
}

/** Converts the text of an OpenAPI 3.1 document to OpenAPI 3.0.3. */
export async function convertToOpenApi30(text: string): Promise<string> {
  const { toOpenApi30 } = await import('./to-openapi-30.ts');
  const { toYaml } = await import('./yaml.ts');
  return toYaml(toOpenApi30(await parseOpenApiYaml(text)));
}
