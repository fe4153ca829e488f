import { type Call, type CallContext, type ControlClient, openEvents } from './control-calls.ts';
import * as generated from './generated/openapi-zod-client-control/api.ts';
import * as generatedFrom30 from './generated/openapi-zod-client-control/api-3.0.ts';

type Api = ReturnType<typeof generated.createApiClient>;

/** Makes every call with the generated client, which checks each request and each answer with its schemas. */
const connectTo =
  (create: (controlUrl: string) => Api): ControlClient =>
  (controlUrl) => {
    const api = create(controlUrl);
    let status = 0;
    api.axios.interceptors.response.use((response) => {
      status = response.status;
      return response;
    });
    const made =
      (call: (known: CallContext) => Promise<unknown>): Call =>
      async (known) => {
        const data = await call(known);
        return { status, data };
      };
    const id = (value: string) => ({ params: { id: value } });
    return {
      getHealth: made(() => api.getHealth()),
      getOpenApiYaml: made(() => api.getOpenApiYaml()),
      getOpenApiJson: made(() => api.getOpenApiJson()),
      getOpenApi30Yaml: made(() => api.getOpenApi30Yaml()),
      getState: made(() => api.getState()),
      replaceState: made(({ state }) => api.replaceState(state as never)),
      rewindMock: made(({ changedBy }) => api.rewindMock({ requestId: changedBy })),
      patchOrganization: made(() => api.patchOrganization({ runtime: 'up' })),
      patchKey: made(() => api.patchKey({ revoked: false }, { params: { key: 'demo-read-key' } })),
      patchLimits: made(() => api.patchLimits({ rateLimit: 'off', monthlyLimit: 10 })),
      armFault: made(() =>
        api.armFault({ effect: 'delay', action: 'create-tags', delayMs: { min: 1, max: 2 } }),
      ),
      listFaults: made(() => api.listFaults()),
      disarmFault: made(async ({ faultId }) => api.disarmFault(undefined, id(await faultId()))),
      disarmFaults: made(() => api.disarmFaults(undefined)),
      listRequests: made(() => api.listRequests({ queries: { after: 0, limit: 5 } })),
      getRequest: made(({ requestId }) => api.getRequest({ params: { requestId } })),
      getRequestsHar: made(() => api.getRequestsHar()),
      getRequestsText: made(() => api.getRequestsText()),
      verifyRequests: made(() => api.verifyRequests({ operation: 'getAccount', times: { atLeast: 0 } })),
      clearRequests: made(() => api.clearRequests(undefined)),
      listOperations: made(() => api.listOperations()),
      listAudit: made(() => api.listAudit()),
      listNotifications: made(() => api.listNotifications()),
      listOrganizations: made(() => api.listOrganizations()),
      listKeys: made(() => api.listKeys({ queries: { organization: 'org_demo' } })),
      addKey: made(() => api.addKey({ name: 'Zod', scope: 'read' })),
      listRecords: made(() => api.listRecords({ queries: { resource: 'friends', limit: 1 } })),
      addFriend: made(() => api.addFriend({ displayName: 'Zod' })),
      addMessage: made(() =>
        api.addMessage({ text: 'Hello' }, { params: { accountId: 'shop', userId: 'aiko' } }),
      ),
      addSubmission: made(() =>
        api.addSubmission({ values: { mail: 'x@example.com' } }, { params: { formId: 'survey' } }),
      ),
      addClick: made(() => api.addClick({}, { params: { linkId: 'spring-page' } })),
      addProject: made(() => api.addProject({ name: 'Zod' })),
      addDocument: made(() =>
        api.addDocument({ title: 'Zod', kind: 'note', body: '' }, { params: { projectId: 'website' } }),
      ),
      addSite: made(() => api.addSite({ keywords: ['one'] })),
      listKeywords: made(() => api.listKeywords({ params: { siteId: 'demo-site' } })),
      getClock: made(() => api.getClock()),
      moveClock: made(() => api.moveClock({ advanceMs: 1 })),
      getEvents: () => openEvents(controlUrl),
      createSandbox: made(() => api.createSandbox({ name: 'openapi-zod-client' })),
      listSandboxes: made(() => api.listSandboxes()),
      dropSandbox: made(async ({ sandboxId }) => api.dropSandbox(undefined, id(await sandboxId()))),
      dropSandboxes: made(() => api.dropSandboxes(undefined)),
      editRecord: made(({ tagId }) =>
        api.editRecord({ resource: 'tags', id: tagId, data: { name: 'Edited' } }),
      ),
      resetMock: made(() => api.resetMock(undefined)),
    };
  };

export const zodControl = connectTo((controlUrl) => generated.createApiClient(controlUrl));
export const zodControlFrom30 = connectTo(
  (controlUrl) => generatedFrom30.createApiClient(controlUrl) as unknown as Api,
);
