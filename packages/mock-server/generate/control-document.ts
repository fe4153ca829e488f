import { contractVersion } from '@orgchat/spec';
import * as z from 'zod';
import { createDocument, type ZodOpenApiObject, type ZodOpenApiOperationObject } from 'zod-openapi';
import type { ControlCall } from '../src/control/call.ts';
import { requestAnswers } from '../src/control/calls/requests.ts';
import { controlCalls } from '../src/control/calls.ts';

const tags: Readonly<Record<ControlCall['tag'], string>> = {
  Mock: 'The server, and its documents.',
  State: 'The whole state: save, replace, reset.',
  Faults: 'Faults to inject.',
  Requests: 'The requests of the API that the mock received.',
  Records: 'Settings, records, and what the API does not show.',
  Clock: 'The clock that limits and quotas follow.',
  Sandboxes: 'Isolated mocks.',
};

/** The body of every error. Some have more fields, such as `maxBytes` or `limit`. */
const controlError = z
  .looseObject({ error: z.string().meta({ examples: ['INVALID_INPUT'] }), message: z.string() })
  .meta({ id: 'ControlError', description: 'What is wrong with a call, and what would work.' });

const requestIdHeader = {
  'X-Request-Id': { description: 'Identifies this call.', schema: { type: 'string' as const } },
};

const errorDescriptions: Readonly<Record<number, string>> = {
  400: 'The call is not valid; nothing was changed. The message lists every problem.',
  401: 'The token of the control API is missing or wrong.',
  403: 'The call comes from a web page, or names a host other than this machine.',
  404: 'What the call names does not exist. The message lists what exists.',
  409: 'A limit of the mock is reached, or a verification failed.',
  410: 'The sandbox was dropped or has expired. `sandbox` says which, when and why.',
  413: 'The body is larger than the call accepts.',
  500: 'The mock could not store the change, or failed.',
  503: 'Too many event streams are open.',
};
const commonErrors = [400, 401, 403, 413, 500];

function operationObject(name: string, call: ControlCall): ZodOpenApiOperationObject {
  const { summary, description, tag, errors = [], example } = call;
  const inPath = Array.from(call.path.matchAll(/\{(\w+)\}/g), ([, found = '']) => found);
  const statuses = [...commonErrors, ...errors].sort();
  const isOpen = name === 'getHealth';
  return {
    operationId: name,
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    ...(isOpen && { security: [] }),
    ...(inPath.length > 0 && { parameters: inPath.map((parameter) => pathParameter(parameter, call)) }),
    ...((call.query ?? call.headers) !== undefined && {
      requestParams: {
        ...(call.query !== undefined && { query: call.query() }),
        ...(call.headers !== undefined && { header: call.headers() }),
      },
    }),
    ...(call.body !== undefined && {
      requestBody: {
        required: call.bodyRequired === true,
        content: {
          'application/json': {
            schema: call.body(),
            ...(example !== undefined && { examples: { example: { value: example } } }),
          },
        },
      },
    }),
    responses: {
      [String(call.status ?? 200)]: {
        description: 'Done.',
        headers: requestIdHeader,
        content: { [call.text?.split(';')[0] ?? 'application/json']: { schema: call.answer() } },
      },
      ...Object.fromEntries(statuses.map((status) => [String(status), errorReference(name, status)])),
    },
  } as ZodOpenApiOperationObject;
}

const pathParameter = (name: string, { parameters }: ControlCall) => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string' },
  ...parameters?.[name],
});

const errorReference = (name: string, status: number): { $ref: string } => ({
  $ref: `#/components/responses/${name === 'verifyRequests' && status === 409 ? 'VerificationFailed' : `Error${status}`}`,
});

const errorResponse = (description: string, schema: z.ZodType) => ({
  description,
  headers: requestIdHeader,
  content: { 'application/json': { schema } },
});

/** The OpenAPI 3.1 document of the control API of the mock server. */
export function controlDocument(): ReturnType<typeof createDocument> {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const [name, call] of Object.entries<ControlCall>(controlCalls)) {
    const { path, method } = call;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(name, call) };
  }
  const responses = Object.entries(errorDescriptions).map(([status, description]) => [
    `Error${status}`,
    errorResponse(description, controlError),
  ]);
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Control API of the orgchat mock server',
      version: contractVersion,
      description:
        'State, faults, clock, request log and sandboxes of a mock server. Generated from its schemas. Unknown fields, unknown query parameters and oversized bodies are refused on every call.',
      contact: { name: 'The orgchat contributors' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: 'http://127.0.0.1:4010/_mock', description: 'The mock server, as started by npm start.' },
      { url: '/_mock', description: 'The server that hands out this document.' },
    ],
    security: [{}, { controlToken: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      responses: {
        ...Object.fromEntries(responses),
        VerificationFailed: errorResponse(
          'The number of requests differs, or is not certain.',
          requestAnswers().verificationFailure,
        ),
      },
      securitySchemes: {
        controlToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The token that the server printed at its start; none is required on loopback by default.',
        },
      },
    },
  } as ZodOpenApiObject;
  return createDocument(document, {
    override: ({ jsonSchema, zodSchema, io }) => {
      // An answer may get new fields; a client that rejects them would break.
      if (io === 'output' && zodSchema._zod.def.type === 'object') delete jsonSchema.additionalProperties;
      // The bounds of a safe integer say nothing to a reader.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
}
