import type * as z from 'zod';
import { organizationFilter, organizationQuery } from '../control-input/find-organization.ts';
import { eventsHeaders } from '../events/event-streams.ts';
import { faultInput } from '../faults/schema.ts';
import { injectionSchemas } from '../inject/schemas.ts';
import { maxBodyBytes, stateBytes } from '../mock-limits.ts';
import { requestPage } from '../request-log/read-log.ts';
import { verification } from '../request-log/verify.ts';
import {
  clockMove,
  editInput,
  keyPatch,
  limitsPatch,
  organizationPatch,
  rewindInput,
  sandboxInput,
  stateInput,
} from './input.ts';
import { recordsPage } from './records.ts';

/**
 * A call of the control API. The method of the mock validates the body by the schema, and the OpenAPI document of the
 * control API is generated from it.
 */
export interface ControlCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the control URL; `{…}` is one percent-encoded segment. */
  readonly path: string;
  /** The status of a success if it is not 200. */
  readonly status?: number;
  /**
   * The schema of the query parameters; omitted if the call accepts none. A parameter of digits becomes a number if the
   * schema does not accept it as a text.
   */
  readonly query?: () => z.ZodObject;
  /** The schema of the request headers that the call reads; omitted if it reads none. */
  readonly headers?: () => z.ZodObject;
  /** The schema of the body; omitted if the call accepts none. */
  readonly body?: () => z.ZodType;
  /** Whether the body must be sent. Default: an absent body means an empty object. */
  readonly bodyRequired?: true;
  /** Maximum size of the body in bytes. Default: `maxBodyBytes`. */
  readonly bodyBytes?: number;
  /** Maximum size of the answer in bytes; omitted if the answer is not limited. */
  readonly answerBytes?: number;
  /** The media type of an answer that is text. Default: the answer is JSON. */
  readonly text?: string;
}

/** All calls of the control API, by the name that the document calls `operationId`. */
export const controlCalls = {
  getHealth: { method: 'GET', path: '/health' },
  getOpenApiYaml: { method: 'GET', path: '/openapi.yaml', text: 'application/yaml; charset=utf-8' },
  getOpenApiJson: { method: 'GET', path: '/openapi.json' },
  getOpenApi30Yaml: { method: 'GET', path: '/openapi-3.0.yaml', text: 'application/yaml; charset=utf-8' },
  resetMock: { method: 'POST', path: '/reset' },
  rewindMock: { method: 'POST', path: '/rewind', body: rewindInput, bodyRequired: true },
  getState: { method: 'GET', path: '/state', answerBytes: stateBytes },
  replaceState: {
    method: 'PUT',
    path: '/state',
    body: stateInput,
    bodyRequired: true,
    bodyBytes: stateBytes,
  },
  listOrganizations: { method: 'GET', path: '/organizations' },
  patchOrganization: {
    method: 'PATCH',
    path: '/organization',
    query: organizationQuery,
    body: organizationPatch,
  },
  listKeys: { method: 'GET', path: '/keys', query: organizationQuery },
  addKey: {
    method: 'POST',
    path: '/keys',
    status: 201,
    query: organizationQuery,
    body: () => injectionSchemas().key,
    bodyRequired: true,
  },
  patchKey: { method: 'PATCH', path: '/keys/{key}', body: keyPatch },
  patchLimits: { method: 'PATCH', path: '/limits', body: limitsPatch },
  listFaults: { method: 'GET', path: '/faults' },
  armFault: { method: 'POST', path: '/faults', status: 201, body: faultInput, bodyRequired: true },
  disarmFaults: { method: 'DELETE', path: '/faults' },
  disarmFault: { method: 'DELETE', path: '/faults/{id}' },
  listRequests: { method: 'GET', path: '/requests', query: requestPage },
  getRequest: { method: 'GET', path: '/requests/{requestId}' },
  getRequestsHar: { method: 'GET', path: '/requests.har' },
  clearRequests: { method: 'DELETE', path: '/requests' },
  verifyRequests: { method: 'POST', path: '/requests/verify', body: verification, bodyRequired: true },
  getEvents: { method: 'GET', path: '/events', headers: eventsHeaders, text: 'text/event-stream' },
  listOperations: { method: 'GET', path: '/operations', query: organizationQuery },
  listAudit: { method: 'GET', path: '/audit', query: organizationFilter },
  listNotifications: { method: 'GET', path: '/notifications', query: organizationFilter },
  listKeywords: { method: 'GET', path: '/sites/{siteId}/keywords', query: organizationQuery },
  listRecords: { method: 'GET', path: '/records', query: recordsPage },
  addFriend: {
    method: 'POST',
    path: '/friends',
    status: 201,
    query: organizationQuery,
    body: () => injectionSchemas().friend,
    bodyRequired: true,
  },
  addMessage: {
    method: 'POST',
    path: '/friends/{accountId}/{userId}/messages',
    status: 201,
    query: organizationQuery,
    body: () => injectionSchemas().message,
    bodyRequired: true,
  },
  addSubmission: {
    method: 'POST',
    path: '/forms/{formId}/submissions',
    status: 201,
    query: organizationQuery,
    body: () => injectionSchemas().submission,
    bodyRequired: true,
  },
  addClick: {
    method: 'POST',
    path: '/links/{linkId}/clicks',
    status: 201,
    query: organizationQuery,
    body: () => injectionSchemas().click,
  },
  addProject: {
    method: 'POST',
    path: '/studio/projects',
    status: 201,
    query: organizationQuery,
    body: () => injectionSchemas().project,
    bodyRequired: true,
  },
  addDocument: {
    method: 'POST',
    path: '/studio/projects/{projectId}/documents',
    status: 201,
    query: organizationQuery,
    body: () => injectionSchemas().document,
    bodyRequired: true,
  },
  addSite: {
    method: 'POST',
    path: '/sites',
    status: 201,
    query: organizationQuery,
    body: () => injectionSchemas().site,
  },

  getClock: { method: 'GET', path: '/clock' },
  moveClock: { method: 'POST', path: '/clock', body: clockMove },
  createSandbox: {
    method: 'POST',
    path: '/sandboxes',
    status: 201,
    body: sandboxInput,
    bodyBytes: stateBytes,
  },
  listSandboxes: { method: 'GET', path: '/sandboxes' },
  dropSandboxes: { method: 'DELETE', path: '/sandboxes' },
  dropSandbox: { method: 'DELETE', path: '/sandboxes/{id}' },
  editRecord: {
    method: 'POST',
    path: '/edit',
    query: organizationQuery,
    body: editInput,
    bodyRequired: true,
  },
} as const satisfies Readonly<Record<string, ControlCall>>;

export type ControlCallName = keyof typeof controlCalls;
export const controlCallNames = Object.keys(controlCalls) as ControlCallName[];

/** The maximum size of the body of a call in bytes; undefined if the call accepts no body. */
export const getBodyLimit = ({ body, bodyBytes = maxBodyBytes }: ControlCall): number | undefined =>
  body === undefined ? undefined : bodyBytes;
