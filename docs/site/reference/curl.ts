import { operations } from '@orgchat/spec';
import type { ApiDocument, Endpoint, Example, Parameter } from './openapi.ts';

/** The examples of a request, by their names. */
export const listExamples = ({ operation }: Endpoint): [name: string, Example][] =>
  Object.entries(operation.requestBody?.content?.['application/json']?.examples ?? {});

/** The first example of a request. */
export const getExample = (endpoint: Endpoint): unknown => listExamples(endpoint)[0]?.[1].value;

/** `formId` as a word to replace: `FORM_ID`. */
const toPlaceholder = (name: string): string => name.replace(/(?=[A-Z])/g, '_').toUpperCase();

/** A value for a parameter: its example, or one of a few. */
const toValue = (document: ApiDocument, { name, schema, example }: Parameter): string =>
  String(example ?? document.resolve(schema).enum?.[0] ?? toPlaceholder(name));

/** The address of an endpoint, with values for what it requires. */
export function toUrl(document: ApiDocument, { path, operation }: Endpoint): string {
  const required = document.getParameters(operation).filter((parameter) => parameter.required);
  const filled = required.reduce(
    (url, parameter) => url.replace(`{${parameter.name}}`, toValue(document, parameter)),
    `${document.content.servers[0]?.url}${path}`,
  );
  const query = required.filter((parameter) => parameter.in === 'query');
  return query.length === 0
    ? filled
    : `'${filled}?${query.map((parameter) => `${parameter.name}=${toValue(document, parameter)}`).join('&')}'`;
}

/** The key of the mock that may do as much as the operation needs. */
export const toKey = ({ operation: { operationId } }: Endpoint): string => {
  const scopes: Readonly<Record<string, { readonly scope: string }>> = operations;
  return `demo-${scopes[operationId]?.scope ?? 'write'}-key`;
};

/** A request to the mock as `npm start` starts it. */
export function toCurl(document: ApiDocument, endpoint: Endpoint, example = getExample(endpoint)): string {
  const method = endpoint.method === (example === undefined ? 'GET' : 'POST') ? '' : ` -X ${endpoint.method}`;
  const lines = [
    `curl${method} ${toUrl(document, endpoint)}`,
    ...('apiKey' in (document.content.security?.[0] ?? {})
      ? [`-H 'Authorization: Bearer ${toKey(endpoint)}'`]
      : []),
    ...(example === undefined
      ? []
      : [
          "-H 'Content-Type: application/json'",
          `-d '${JSON.stringify(example, null, 2).replaceAll("'", "'\\''").replaceAll('\n', '\n  ')}'`,
        ]),
  ];
  return lines.join(' \\\n  ');
}
