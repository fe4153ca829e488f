import * as orval from './generated/orval-control/api.ts';
import {
  Api,
  ChangeAction,
  ContentType,
  type HttpResponse,
  OperationName,
} from './generated/swagger-typescript-api-control/api.ts';
import { use } from './orval-fetch.ts';

/** What a call needs to know about the mock before it. */
export interface CallContext {
  readonly state: Readonly<Record<string, unknown>>;
  readonly tagId: string;
  readonly requestId: string;
  /** A request that changed something, before which the state was kept. */
  readonly changedBy: string;
  readonly faultId: () => Promise<string>;
  readonly sandboxId: () => Promise<string>;
}

/** A call of the generated client; resolves to the status and the body of the answer. */
export type Call = (known: CallContext) => Promise<{ readonly status: number; readonly data: unknown }>;

/** Every call of the control API by its operationId, made with a generated client and its own types. */
export type ControlClient = (controlUrl: string) => Readonly<Record<string, Call>>;

/** Opens a stream of events. Some generated clients read bodies to their end, which a stream does not have. */
export async function openEvents(controlUrl: string): Promise<{ status: number; data: null }> {
  const response = await fetch(`${controlUrl}/events`);
  await response.body?.cancel();
  return { status: response.status, data: null };
}

const fault = { effect: 'delay', action: 'create-tags', delayMs: { min: 1, max: 2 } } as const;
const verification = { operation: 'getAccount', times: { atLeast: 0 } } as const;

export const orvalControl: ControlClient = (controlUrl) => {
  use({ baseUrl: controlUrl, key: 'unused' });
  return {
    getHealth: () => orval.getHealth(),
    getOpenApiYaml: () => orval.getOpenApiYaml(),
    getOpenApiJson: () => orval.getOpenApiJson(),
    getOpenApi30Yaml: () => orval.getOpenApi30Yaml(),
    getState: () => orval.getState(),
    replaceState: ({ state }) => orval.replaceState(state as unknown as orval.StateInput),
    rewindMock: ({ changedBy }) => orval.rewindMock({ requestId: changedBy }),
    patchOrganization: () => orval.patchOrganization({ runtime: 'up' }),
    patchKey: () => orval.patchKey('demo-read-key', { revoked: false }),
    patchLimits: () => orval.patchLimits({ rateLimit: 'off', monthlyLimit: 10 }),
    armFault: () => orval.armFault(fault),
    listFaults: () => orval.listFaults(),
    disarmFault: async ({ faultId }) => orval.disarmFault(await faultId()),
    disarmFaults: () => orval.disarmFaults(),
    listRequests: () => orval.listRequests({ after: 0, limit: 5 }),
    getRequest: ({ requestId }) => orval.getRequest(requestId),
    getRequestsHar: () => orval.getRequestsHar(),
    getRequestsText: () => orval.getRequestsText(),
    verifyRequests: () => orval.verifyRequests(verification),
    clearRequests: () => orval.clearRequests(),
    getEvents: () => orval.getEvents(),
    listOperations: () => orval.listOperations(),
    listAudit: () => orval.listAudit(),
    listNotifications: () => orval.listNotifications(),
    listOrganizations: () => orval.listOrganizations(),
    listKeys: () => orval.listKeys({ organization: 'org_demo' }),
    addKey: () => orval.addKey({ name: 'Orval', scope: 'read' }),
    listRecords: () => orval.listRecords({ resource: 'friends', offset: 0, limit: 1 }),
    addFriend: () => orval.addFriend({ displayName: 'Orval' }),
    addMessage: () => orval.addMessage('shop', 'aiko', { text: 'Hello' }),
    addSubmission: () => orval.addSubmission('survey', { values: { mail: 'x@example.com', topics: [] } }),
    addClick: () => orval.addClick('spring-page', {}),
    addProject: () => orval.addProject({ name: 'Orval' }),
    addDocument: () => orval.addDocument('website', { title: 'Orval', kind: 'note', body: '' }),
    addSite: () => orval.addSite({ keywords: ['one'] }),
    listKeywords: () => orval.listKeywords('demo-site'),
    getClock: () => orval.getClock(),
    moveClock: () => orval.moveClock({ advanceMs: 1 }),
    createSandbox: () => orval.createSandbox({ name: 'orval' }),
    listSandboxes: () => orval.listSandboxes(),
    dropSandbox: async ({ sandboxId }) => orval.dropSandbox(await sandboxId()),
    dropSandboxes: () => orval.dropSandboxes(),
    editRecord: ({ tagId }) => orval.editRecord({ resource: 'tags', id: tagId, data: { name: 'Edited' } }),
    resetMock: () => orval.resetMock(),
  };
};

export const swaggerTypescriptApiControl: ControlClient = (controlUrl) => {
  const api = new Api({ baseUrl: controlUrl });
  const text = (response: HttpResponse<unknown, unknown>) => ({
    status: response.status,
    data: response.data,
  });
  const made =
    (call: (known: CallContext) => Promise<HttpResponse<unknown, unknown>>): Call =>
    async (known) =>
      text(await call(known));
  return {
    getHealth: made(() => api.health.getHealth()),
    getOpenApiYaml: made(() => api.openapiYaml.getOpenApiYaml()),
    getOpenApiJson: made(() => api.openapiJson.getOpenApiJson()),
    getOpenApi30Yaml: made(() => api.openapi30Yaml.getOpenApi30Yaml()),
    getState: made(() => api.state.getState()),
    replaceState: made(({ state }) => api.state.replaceState(state as never, { type: ContentType.Json })),
    rewindMock: made(({ changedBy }) => api.rewind.rewindMock({ requestId: changedBy })),
    patchOrganization: made(() => api.organization.patchOrganization({}, { runtime: 'up' })),
    patchKey: made(() => api.keys.patchKey('demo-read-key', { revoked: false })),
    patchLimits: made(() => api.limits.patchLimits({ rateLimit: 'off', monthlyLimit: 10 })),
    armFault: made(() => api.faults.armFault({ ...fault, action: ChangeAction.CreateTags })),
    listFaults: made(() => api.faults.listFaults()),
    disarmFault: made(async ({ faultId }) => api.faults.disarmFault(await faultId())),
    disarmFaults: made(() => api.faults.disarmFaults()),
    listRequests: made(() => api.requests.listRequests({ after: 0, limit: 5 })),
    getRequest: made(({ requestId }) => api.requests.getRequest(requestId)),
    getRequestsHar: made(() => api.requestsHar.getRequestsHar()),
    getRequestsText: made(() => api.requestsTxt.getRequestsText()),
    verifyRequests: made(() =>
      api.requests.verifyRequests({ ...verification, operation: OperationName.GetAccount }),
    ),
    clearRequests: made(() => api.requests.clearRequests()),
    getEvents: () => openEvents(controlUrl),
    listOperations: made(() => api.operations.listOperations()),
    listAudit: made(() => api.audit.listAudit()),
    listNotifications: made(() => api.notifications.listNotifications()),
    listOrganizations: made(() => api.organizations.listOrganizations()),
    listKeys: made(() => api.keys.listKeys({ organization: 'org_demo' })),
    addKey: made(() => api.keys.addKey({ name: 'Swagger', scope: 'read' })),
    listRecords: made(() => api.records.listRecords({ resource: 'friends', limit: 1 })),
    addFriend: made(() => api.friends.addFriend({ displayName: 'Swagger' })),
    addMessage: made(() => api.friends.addMessage('shop', 'aiko', { text: 'Hello' })),
    addSubmission: made(() => api.forms.addSubmission('survey', { values: { mail: 'x@example.com' } })),
    addClick: made(() => api.links.addClick('spring-page', {}, { accountId: null })),
    addProject: made(() => api.studio.addProject({ name: 'Swagger' })),
    addDocument: made(() => api.studio.addDocument('website', { title: 'Swagger', kind: 'note', body: '' })),
    addSite: made(() => api.sites.addSite({}, { keywords: ['one'] })),
    listKeywords: made(() => api.sites.listKeywords('demo-site')),
    getClock: made(() => api.clock.getClock()),
    moveClock: made(() => api.clock.moveClock({ advanceMs: 1 })),
    createSandbox: made(() => api.sandboxes.createSandbox({ name: 'swagger-typescript-api' })),
    listSandboxes: made(() => api.sandboxes.listSandboxes()),
    dropSandbox: made(async ({ sandboxId }) => api.sandboxes.dropSandbox(await sandboxId())),
    dropSandboxes: made(() => api.sandboxes.dropSandboxes()),
    editRecord: made(({ tagId }) =>
      api.edit.editRecord({ resource: 'tags', id: tagId, data: { name: 'Edited' } }),
    ),
    resetMock: made(() => api.reset.resetMock()),
  };
};
