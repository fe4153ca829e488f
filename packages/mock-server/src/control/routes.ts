import type {
  ClickInput,
  ClockMove,
  DocumentInput,
  EditInput,
  FaultInput,
  FriendInput,
  InOrganization,
  KeyInput,
  KeyPatch,
  LimitsPatch,
  MessageInput,
  OrganizationPatch,
  ProjectInput,
  RecordsQuery,
  RequestPage,
  RewindInput,
  SandboxInput,
  SiteInput,
  SubmissionInput,
  Verification,
} from '../generated/public-types.ts';
import type { PlainRequest } from '../http/message.ts';
import type { Mock } from '../mock-interface.ts';
import type { ControlCallName } from './calls.ts';
import { controlDocuments } from './documents.ts';

/** One request to the control API. */
export interface ControlRequest {
  /** The parameters of the path, in order. */
  readonly parameters: readonly string[];
  /** The query parameters by name; those of digits are numbers. */
  readonly query: unknown;
  /** The JSON object of the body; an empty object if there was no body. */
  readonly body: unknown;
  readonly request: PlainRequest;
}

/** Makes a call: returns the value to answer with, or a promise of it. */
export type ControlHandler = (mock: Mock, request: ControlRequest) => unknown;

const describeSandbox = (sandbox: Mock, origin: string): object => ({
  ...sandbox.addresses(origin),
  ...(sandbox.name !== undefined && { name: sandbox.name }),
});

const done = (_: unknown): { readonly ok: true } => ({ ok: true });

/**
 * The method of the mock behind each call. The methods validate their arguments, so a body is passed on unchanged.
 */
export const controlHandlers: Readonly<Record<ControlCallName, ControlHandler>> = {
  getHealth: (mock) => mock.health(),
  getOpenApiYaml: () => controlDocuments.yaml(),
  getOpenApiJson: () => controlDocuments.json(),
  getOpenApi30Yaml: () => controlDocuments.yaml30(),
  resetMock: (mock) => done(mock.reset()),
  rewindMock: (mock, { body }) => mock.rewind(body as RewindInput),
  getState: (mock) => mock.state(),
  replaceState: (mock, { body }) => done(mock.restore(body)),
  listOrganizations: (mock) => ({ organizations: mock.organizations() }),
  patchOrganization: (mock, { query, body }) =>
    mock.patchOrganization(body as OrganizationPatch, query as InOrganization),
  listKeys: (mock, { query }) => ({ keys: mock.listKeys(query as InOrganization) }),
  addKey: (mock, { query, body }) => mock.inject.key(body as KeyInput, query as InOrganization),
  patchKey: (mock, { parameters: [key = ''], body }) => mock.patchKey(key, body as KeyPatch),
  patchLimits: (mock, { body }) => mock.patchLimits(body as LimitsPatch),
  listFaults: (mock) => ({ faults: mock.faults.list() }),
  armFault: (mock, { body }) => mock.faults.arm(body as FaultInput),
  disarmFaults: (mock) => ({ disarmed: mock.faults.disarm() }),
  disarmFault: (mock, { parameters: [id] }) => ({ disarmed: mock.faults.disarm(id) }),
  listRequests: (mock, { query }) => ({
    requests: mock.requests.list(query as RequestPage),
    dropped: mock.requests.dropped(),
  }),
  getRequest: (mock, { parameters: [id = ''] }) => mock.requests.get(id),
  getRequestsHar: (mock) => mock.requests.har(),
  clearRequests: (mock) => done(mock.requests.clear()),
  verifyRequests: (mock, { body }) => mock.requests.verify(body as Verification),
  // A browser sends no header if it has no id, other clients may send an empty one.
  getEvents: (mock, { request }) =>
    mock.events({ lastEventId: request.header('last-event-id') || undefined }),
  listOperations: (mock, { query }) => ({ operations: mock.operations(query as InOrganization) }),
  listAudit: (mock, { query }) => ({ audit: mock.audit(query as InOrganization) }),
  listNotifications: (mock, { query }) => ({ notifications: mock.notifications(query as InOrganization) }),
  listKeywords: (mock, { parameters: [siteId = ''], query }) => ({
    keywords: mock.keywords(siteId, query as InOrganization),
  }),
  listRecords: (mock, { query }) => mock.records(query as RecordsQuery),
  addFriend: (mock, { query, body }) => mock.inject.friend(body as FriendInput, query as InOrganization),
  addMessage: (mock, { parameters: [accountId = '', userId = ''], query, body }) =>
    mock.inject.message({ accountId, userId }, body as MessageInput, query as InOrganization),
  addSubmission: (mock, { parameters: [formId = ''], query, body }) =>
    mock.inject.submission(formId, body as SubmissionInput, query as InOrganization),
  addClick: (mock, { parameters: [linkId = ''], query, body }) =>
    mock.inject.click(linkId, body as ClickInput, query as InOrganization),
  addProject: (mock, { query, body }) => mock.inject.project(body as ProjectInput, query as InOrganization),
  addDocument: (mock, { parameters: [projectId = ''], query, body }) =>
    mock.inject.document(projectId, body as DocumentInput, query as InOrganization),
  addSite: (mock, { query, body }) => mock.inject.site(body as SiteInput, query as InOrganization),
  getClock: (mock) => mock.clock.read(),
  moveClock: (mock, { body }) => mock.clock.move(body as ClockMove),
  createSandbox: (mock, { body, request }) =>
    describeSandbox(mock.sandbox(body as SandboxInput), request.origin()),
  listSandboxes: (mock, { request }) => ({ sandboxes: mock.listSandboxes(request.origin()) }),
  dropSandboxes: (mock) => ({ dropped: mock.dropSandboxes() }),
  dropSandbox: (mock, { parameters: [id = ''] }) => done(mock.dropSandbox(id)),
  editRecord: (mock, { query, body }) => mock.edit(body as EditInput, query as InOrganization),
};
