import { convertToOpenApi30, parseOpenApiYaml, readOpenApiYaml } from '@orgchat/spec';
import { memoize } from '../memoize.ts';

/* The OpenAPI documents that the server hands out. Their texts are loaded with the first request for them. */

/** The documents of the API. */
export const apiDocuments = {
  '/openapi.yaml': readOpenApiYaml,
  '/openapi-3.0.yaml': memoize(async () => convertToOpenApi30(await readOpenApiYaml())),
} as const;

const readYaml = async (): Promise<string> => {
  const { controlOpenapiYaml } = await import('../generated/control-openapi-yaml.ts');
  return controlOpenapiYaml;
};

/** The documents of the control API. */
export const controlDocuments = {
  yaml: readYaml,
  json: memoize(async () => parseOpenApiYaml(await readYaml())),
  yaml30: memoize(async () => convertToOpenApi30(await readYaml())),
} as const;
