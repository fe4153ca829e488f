import type * as z from 'zod';
import { createDocument, type ZodOpenApiObject, type ZodOpenApiOperationObject } from 'zod-openapi';
import {
  controlAnswers,
  controlError,
  verificationFailure,
} from '../../packages/mock-server/generate/control-answers.ts';
import { mockEvent } from '../../packages/mock-server/generate/control-events.ts';
import { recordAnswers } from '../../packages/mock-server/generate/control-record-answers.ts';
import { controlTags, controlTexts } from '../../packages/mock-server/generate/control-texts.ts';
import {
  type ControlCall,
  type ControlCallName,
  controlCallNames,
  controlCalls,
} from '../../packages/mock-server/src/control/calls.ts';
import { contractVersion } from '../src/index.ts';
import { avoidToolProblems } from './avoid-tool-problems.ts';

const requestIdHeader = {
  'X-Request-Id': { description: 'Identifies this call.', schema: { type: 'string' as const } },
};

const errorDescriptions: Readonly<Record<number, string>> = {
  400: 'The call is not valid; nothing was changed. The message lists every problem.',
  401: 'The token of the control API is missing or wrong.',
  403: 'The call comes from a web page, or names a host other than this machine.',
  404: 'What the call names does not exist. The message lists what exists.',
  409: 'A limit of the mock is reached, or a verification failed.',
  413: 'The body is larger than the call accepts.',
  500: 'The mock could not store the change.',
  503: 'Too many event streams are open.',
};
const commonErrors = [400, 401, 403, 413, 500];

const parameters: Readonly<Record<string, { description: string; example: string }>> = {
  key: { description: 'The text of a key.', example: 'demo-read-key' },
  id: { description: 'The id of a fault or sandbox.', example: 'fault-1' },
  requestId: { description: 'The id or the requestId of a request.', example: '1' },
  siteId: { description: 'The id of a site.', example: 'demo-site' },
  accountId: { description: 'The id of an account, or its name in a seed.', example: 'main' },
  userId: { description: 'The id of a friend, or the name in a seed.', example: 'aiko' },
  formId: { description: 'The id of a form, or its name in a seed.', example: 'survey' },
  linkId: { description: 'The id of a link, or its name in a seed.', example: 'spring-page' },
  projectId: { description: 'The id of a project, or its name in a seed.', example: 'website' },
};

const answers: Readonly<Record<ControlCallName, z.ZodType>> = {
  ...controlAnswers,
  ...recordAnswers,
  getEvents: mockEvent,
};

function operationObject(name: ControlCallName): ZodOpenApiOperationObject {
  const call: ControlCall = controlCalls[name];
  const { summary, description, tag, errors = [], example } = controlTexts[name];
  const inPath = Array.from(call.path.matchAll(/\{(\w+)\}/g), ([, found = '']) => found);
  const statuses = [...commonErrors, ...errors].sort();
  const isOpen = name === 'getHealth';
  return {
    operationId: name,
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    ...(isOpen && { security: [] }),
    ...(inPath.length > 0 && { parameters: inPath.map(pathParameter) }),
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
        content: { [call.text?.split(';')[0] ?? 'application/json']: { schema: answers[name] } },
      },
      ...Object.fromEntries(statuses.map((status) => [String(status), errorReference(name, status)])),
    },
  } as ZodOpenApiOperationObject;
}

const pathParameter = (name: string) => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string' },
  ...parameters[name],
});

const errorReference = (name: ControlCallName, status: number): { $ref: string } => ({
  $ref: `#/components/responses/${name === 'verifyRequests' && status === 409 ? 'VerificationFailed' : `Error${status}`}`,
});

const errorResponse = (description: string, schema: typeof controlError | typeof verificationFailure) => ({
  description,
  headers: requestIdHeader,
  content: { 'application/json': { schema } },
});

/** The OpenAPI 3.1 document of the control API of the mock server. */
export function controlDocument(): ReturnType<typeof createDocument> {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const name of controlCallNames) {
    const { path, method } = controlCalls[name];
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(name) };
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
    tags: Object.entries(controlTags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      responses: {
        ...Object.fromEntries(responses),
        VerificationFailed: errorResponse(
          'The number of requests differs, or is not certain.',
          verificationFailure,
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
  return avoidToolProblems(
    createDocument(document, {
      override: ({ jsonSchema, zodSchema, io }) => {
        // An answer may get new fields; a client that rejects them would break.
        if (io === 'output' && zodSchema._zod.def.type === 'object') delete jsonSchema.additionalProperties;
        // The bounds of a safe integer say nothing to a reader.
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      },
    }),
  );
}
