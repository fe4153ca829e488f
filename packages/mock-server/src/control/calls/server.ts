import * as z from 'zod';
import { notFound } from '../../input-checks/control-error.ts';
import type { Documents, ServedMock } from '../../served-mock.ts';
import type { ControlCalls } from '../call.ts';

/* The server, and the documents of its control API. */

function getDocuments({ services }: ServedMock): Documents['control'] {
  if (services.node !== undefined) return services.node.documents.control;
  throw notFound('document', 'A mock in a browser has none. Ask a mock on Node, or see the documentation.');
}

export const serverCalls = {
  getHealth: {
    method: 'GET',
    path: '/health',
    tag: 'Mock',
    summary: 'Check whether the mock is ready',
    description: 'Requires no token.',
    answer: () => z.object({ status: z.literal('ready') }).meta({ id: 'Health' }),
    mock: 'health',
    run: () => ({ status: 'ready' }),
  },
  getOpenApiYaml: {
    method: 'GET',
    path: '/openapi.yaml',
    text: 'application/yaml; charset=utf-8',
    tag: 'Mock',
    summary: 'This document, in YAML',
    answer: () => z.string(),
    run: (mock) => getDocuments(mock).yaml(),
  },
  getOpenApiJson: {
    method: 'GET',
    path: '/openapi.json',
    tag: 'Mock',
    summary: 'This document, in JSON',
    answer: () => z.looseObject({ openapi: z.string() }).meta({ id: 'OpenApiDocument' }),
    run: (mock) => getDocuments(mock).json(),
  },
  getOpenApi30Yaml: {
    method: 'GET',
    path: '/openapi-3.0.yaml',
    text: 'application/yaml; charset=utf-8',
    tag: 'Mock',
    summary: 'This document in OpenAPI 3.0.3, in YAML',
    answer: () => z.string(),
    run: (mock) => getDocuments(mock).yaml30(),
  },
} as const satisfies ControlCalls;
