import { createDocument, type ZodOpenApiObject, type ZodOpenApiOperationObject } from 'zod-openapi';
import {
  basePath,
  contractVersion,
  type ErrorCode,
  errorBody,
  errorCatalog,
  errorMessage,
  type Operation,
  type OperationName,
  operationNames,
  operations,
} from '../src/index.ts';
import { avoidToolProblems } from './avoid-tool-problems.ts';
import { examples } from './examples.ts';

const statusDescriptions: Record<number, string> = {
  400: 'The input is not valid; for keywords also when a limit of the site or the plan is exceeded.',
  401: 'The key is missing, invalid or revoked, or its organization was deleted.',
  403: 'The plan has no API access, or the key or its creator may not do this.',
  404: 'The requested path, record, site or document is not available.',
  409: 'The revision is stale, the input conflicts, or the outcome of the operation is uncertain.',
  429: 'The per-minute limit of the key or the monthly quota of the organization is exceeded.',
  500: 'An unexpected error. X-Request-Id identifies the request.',
  502: "The organization's runtime is unavailable.",
};

const requestIdHeader = {
  'X-Request-Id': {
    description: 'Identifies this request for support.',
    schema: { type: 'string' as const },
  },
};
const retryAfterHeader = {
  'Retry-After': {
    description: 'When to try again: seconds or an HTTP date. Not every 429 carries it.',
    schema: { type: 'string' as const },
  },
};

/** An example body for each code that comes with a status. */
function errorExamples(status: number): Record<string, { summary: string; value: unknown }> {
  const codes = Object.keys(errorCatalog) as ErrorCode[];
  const matching = codes.filter((code) =>
    (errorCatalog[code].statuses as readonly number[]).includes(status),
  );
  return Object.fromEntries(
    matching.map((code) => [
      code,
      {
        summary: errorCatalog[code].description,
        value: { error: code, message: errorMessage(code, 'en') },
      },
    ]),
  );
}

function errorResponse(status: number) {
  return {
    description: statusDescriptions[status] ?? 'An error.',
    headers: status === 429 ? { ...requestIdHeader, ...retryAfterHeader } : requestIdHeader,
    content: { 'application/json': { schema: errorBody, examples: errorExamples(status) } },
  };
}

function operationObject(name: OperationName): ZodOpenApiOperationObject {
  const operation: Operation = operations[name];
  const { request, response } = examples[name];
  const parameters = [
    { $ref: '#/components/parameters/AcceptLanguage' },
    ...(operation.path.includes('{siteId}') ? [{ $ref: '#/components/parameters/SiteId' }] : []),
  ];
  const errors = operation.errors.map((status) => [
    String(status),
    { $ref: `#/components/responses/Error${status}` },
  ]);
  return {
    operationId: name,
    summary: operation.summary,
    description: operation.description,
    tags: [
      name === 'getAccount'
        ? 'Account'
        : name === 'addSeoKeywords'
          ? 'Keywords'
          : name === 'readStudio'
            ? 'Studio'
            : 'Chat',
    ],
    parameters,
    ...(operation.request && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: operation.request, ...(request && { examples: request }) } },
      },
    }),
    responses: {
      [String(operation.success)]: {
        description: 'Done.',
        headers: requestIdHeader,
        content: { 'application/json': { schema: operation.response, examples: response } },
      },
      ...Object.fromEntries(errors),
    },
  } as ZodOpenApiOperationObject;
}

const errorStatuses = [...new Set(operationNames.flatMap((name) => [...operations[name].errors]))].sort();

/** The OpenAPI 3.1 document of the contract. */
export function openApiDocument(): ReturnType<typeof createDocument> {
  const paths = Object.fromEntries(
    operationNames.map((name) => [
      operations[name].path,
      { [operations[name].method.toLowerCase()]: operationObject(name) },
    ]),
  );
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Organization Messaging and Keyword API',
      version: contractVersion,
      description:
        'The API has five endpoints. They read your account, add keywords to a site, read and change messaging data, and read Studio, the document workspace. Each change of messaging data is applied exactly once. Generated from the schemas in `spec/`. The contract is in `spec/SPECIFICATION.md`; decisions on what it leaves open are in `spec/DECISIONS.md`.',
      contact: { name: 'The orgchat contributors' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: `http://127.0.0.1:4010${basePath}`, description: 'The mock server, as started by npm start.' },
    ],
    security: [{ apiKey: [] }],
    tags: [
      { name: 'Account', description: 'The organization, its plan and its use.' },
      { name: 'Keywords', description: 'The keywords of a site.' },
      { name: 'Chat', description: 'Messaging configuration and friends.' },
      {
        name: 'Studio',
        description:
          'The workspace of an organization: projects and their documents, which can only be read.',
      },
    ],
    paths,
    components: {
      parameters: {
        AcceptLanguage: {
          name: 'Accept-Language',
          in: 'header',
          required: false,
          description: 'The language of error messages: ja or en.',
          schema: { type: 'string' },
          examples: {
            japanese: { summary: 'Japanese', value: 'ja' },
            english: { summary: 'English', value: 'en' },
          },
        },
        SiteId: {
          name: 'siteId',
          in: 'path',
          required: true,
          description: 'The identifier of a site of the organization.',
          schema: { type: 'string' },
          example: 'demo-site',
        },
      },
      responses: Object.fromEntries(errorStatuses.map((status) => [`Error${status}`, errorResponse(status)])),
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of the organization. Never use it in browser code or a public repository.',
        },
      },
    },
  };
  const written = createDocument(document, {
    override: ({ jsonSchema, zodSchema, io }) => {
      // A response may get new fields; a client that rejects them would break.
      if (io === 'output' && zodSchema._zod.def.type === 'object') delete jsonSchema.additionalProperties;
    },
  });
  return avoidToolProblems(written);
}
