import { convertToOpenApi30, parseOpenApiYaml, readOpenApiYaml } from '@orgchat/spec';
import { memoize } from '../memoize.ts';
import type { Documents } from '../served-mock.ts';

/* The OpenAPI documents that the server hands out. Their texts are loaded with the first request for them. */

const readControlYaml = async (): Promise<string> => {
  const { controlOpenapiYaml } = await import('../generated/control-openapi-yaml.ts');
  return controlOpenapiYaml;
};

export const documents: Documents = {
  api: {
    '/openapi.yaml': readOpenApiYaml,
    '/openapi-3.0.yaml': memoize(async () => convertToOpenApi30(await readOpenApiYaml())),
  },
  control: {
    yaml: readControlYaml,
    json: memoize(async () => parseOpenApiYaml(await readControlYaml())),
    yaml30: memoize(async () => convertToOpenApi30(await readControlYaml())),
  },
};
