import { createRequire } from 'node:module';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import formats from 'ajv-formats';
import type { OpenApiDocument } from '../../../spec/test-support/document.ts';
import { bodyName, errorBodyName, type Operation, type Rules } from './check-answer.ts';

/** Escapes one segment of a JSON pointer in a URI fragment. */
const piece = (name: string): string => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));

/** What differs between the API and the control API. */
interface Api {
  /** Prefix of the paths. */
  readonly base: string;
  /** The schema of every error. */
  readonly errorBody: string;
}

export const api: Api = { base: '/api/v1', errorBody: 'ErrorBody' };
export const controlApi: Api = { base: '/_mock', errorBody: 'ControlError' };

/**
 * The rules of a document as a CommonJS module. Loading it takes milliseconds; compiling the document takes 100 ms
 * in each process.
 */
export function rulesSource(document: OpenApiDocument, { base, errorBody }: Api): string {
  const ajv = new Ajv2020({ strict: false, code: { source: true } });
  formats.default(ajv);
  ajv.addSchema({ ...document, $id: 'openapi' });
  const operations: Operation[] = [];
  const names: string[] = [];
  const add = (name: string, pointer: string): void => {
    ajv.addSchema({ $id: name, $ref: `openapi${pointer}` });
    names.push(name);
  };
  add(errorBodyName, `#/components/schemas/${errorBody}`);
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { operationId, responses }] of Object.entries(methods)) {
      operations.push({
        operationId,
        method: method.toUpperCase(),
        path: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
      });
      for (const [status, response] of Object.entries(responses)) {
        // An answer that is text has no schema to compile.
        if ('content' in response && !('application/json' in response.content)) continue;
        const place = response.$ref ?? `#/paths/${piece(path)}/${method}/responses/${status}`;
        add(bodyName(operationId, status), `${place}/content/${piece('application/json')}/schema`);
      }
    }
  }
  const bodies = standaloneCode(ajv, Object.fromEntries(names.map((name) => [name, name])));
  const list = operations.map(
    ({ operationId, method, path }) =>
      `{ operationId: '${operationId}', method: '${method}', path: ${path} }`,
  );
  return `${bodies}\nmodule.exports = { bodies: { ...exports }, operations: [${list}], base: '${base}' };\n`;
}

/** Compiles the rules of a document in this process. */
export function loadRules(document: OpenApiDocument, of: Api = api): Rules {
  const module: { exports: unknown } = { exports: {} };
  const load = new Function('module', 'exports', 'require', rulesSource(document, of));
  load(module, module.exports, createRequire(import.meta.url));
  return module.exports as Rules;
}
