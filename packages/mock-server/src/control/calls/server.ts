import * as z from 'zod';
import type { ControlCalls } from '../call.ts';
import { controlDocuments } from '../documents.ts';

/* The server, and the documents of its control API. */

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
    run: controlDocuments.yaml,
  },
  getOpenApiJson: {
    method: 'GET',
    path: '/openapi.json',
    tag: 'Mock',
    summary: 'This document, in JSON',
    answer: () => z.looseObject({ openapi: z.string() }).meta({ id: 'OpenApiDocument' }),
    run: controlDocuments.json,
  },
  getOpenApi30Yaml: {
    method: 'GET',
    path: '/openapi-3.0.yaml',
    text: 'application/yaml; charset=utf-8',
    tag: 'Mock',
    summary: 'This document in OpenAPI 3.0.3, in YAML',
    answer: () => z.string(),
    run: controlDocuments.yaml30,
  },
} as const satisfies ControlCalls;
