import type {
  ClockMove,
  EditInput,
  FaultInput,
  KeyPatch,
  LimitsPatch,
  OrganizationPatch,
  SandboxInput,
  Verification,
} from '../generated/public-types.ts';
import type { PlainRequest } from '../http/message.ts';
import type { Mock } from '../mock-interface.ts';
import { maxBodyBytes, stateBytes } from '../mock-limits.ts';

/** A call of the control API: a method of the mock, under a method and a path. */
export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the control URL; `{…}` is one percent-encoded segment. */
  readonly path: string;
  /** The status of a success if it is not 200. */
  readonly status?: number;
  /** Maximum size of the body in bytes; omitted if the call accepts no body. */
  readonly bodyBytes?: number;
  /** Maximum size of the answer in bytes; omitted if the answer is not limited. */
  readonly answerBytes?: number;
  readonly run: (mock: Mock, call: ControlCall) => unknown;
}

export interface ControlCall {
  /** The parameters of the path, in order. */
  readonly parameters: readonly string[];
  /** The JSON object of the body; an empty object if there was no body. */
  readonly body: unknown;
  readonly request: PlainRequest;
}

/**
 * All routes of the control API. Each call is a method of `Mock`. The methods validate their arguments, so a body is
 * passed on unchanged.
 */
export const controlRoutes: readonly ControlRoute[] = [
  { method: 'GET', path: '/health', run: (mock) => mock.health() },
  { method: 'POST', path: '/reset', run: (mock) => done(mock.reset()) },
  { method: 'GET', path: '/state', answerBytes: stateBytes, run: (mock) => mock.state() },
  {
    method: 'PUT',
    path: '/state',
    bodyBytes: stateBytes,
    run: (mock, { body }) => done(mock.restore(body)),
  },
  {
    method: 'PATCH',
    path: '/organization',
    bodyBytes: maxBodyBytes,
    run: (mock, { body }) => mock.patchOrganization(body as OrganizationPatch),
  },
  {
    method: 'PATCH',
    path: '/keys/{key}',
    bodyBytes: maxBodyBytes,
    run: (mock, { parameters: [key = ''], body }) => mock.patchKey(key, body as KeyPatch),
  },
  {
    method: 'PATCH',
    path: '/limits',
    bodyBytes: maxBodyBytes,
    run: (mock, { body }) => mock.patchLimits(body as LimitsPatch),
  },
  { method: 'GET', path: '/faults', run: (mock) => ({ faults: mock.faults.list() }) },
  {
    method: 'POST',
    path: '/faults',
    status: 201,
    bodyBytes: maxBodyBytes,
    run: (mock, { body }) => mock.faults.arm(body as FaultInput),
  },
  { method: 'DELETE', path: '/faults', run: (mock) => ({ disarmed: mock.faults.disarm() }) },
  {
    method: 'DELETE',
    path: '/faults/{id}',
    run: (mock, { parameters: [id] }) => ({ disarmed: mock.faults.disarm(id) }),
  },
  {
    method: 'GET',
    path: '/requests',
    run: (mock) => ({ requests: mock.requests.list(), dropped: mock.requests.dropped() }),
  },
  { method: 'DELETE', path: '/requests', run: (mock) => done(mock.requests.clear()) },
  {
    method: 'POST',
    path: '/requests/verify',
    bodyBytes: maxBodyBytes,
    run: (mock, { body }) => mock.requests.verify(body as Verification),
  },
  { method: 'GET', path: '/operations', run: (mock) => ({ operations: mock.operations() }) },
  { method: 'GET', path: '/audit', run: (mock) => ({ audit: mock.audit() }) },
  { method: 'GET', path: '/notifications', run: (mock) => ({ notifications: mock.notifications() }) },
  {
    method: 'GET',
    path: '/sites/{siteId}/keywords',
    run: (mock, { parameters: [siteId = ''] }) => ({ keywords: mock.keywords(siteId) }),
  },
  { method: 'GET', path: '/clock', run: (mock) => mock.clock.read() },
  {
    method: 'POST',
    path: '/clock',
    bodyBytes: maxBodyBytes,
    run: (mock, { body }) => mock.clock.move(body as ClockMove),
  },
  {
    method: 'POST',
    path: '/sandboxes',
    status: 201,
    bodyBytes: stateBytes,
    run: (mock, { body, request }) => describeSandbox(mock.sandbox(body as SandboxInput), request.origin()),
  },
  {
    method: 'GET',
    path: '/sandboxes',
    run: (mock, { request }) => ({ sandboxes: mock.listSandboxes(request.origin()) }),
  },
  { method: 'DELETE', path: '/sandboxes', run: (mock) => ({ dropped: mock.dropSandboxes() }) },
  {
    method: 'DELETE',
    path: '/sandboxes/{id}',
    run: (mock, { parameters: [id = ''] }) => done(mock.dropSandbox(id)),
  },
  {
    method: 'POST',
    path: '/edit',
    bodyBytes: maxBodyBytes,
    run: (mock, { body }) => mock.edit(body as EditInput),
  },
];

const describeSandbox = (sandbox: Mock, origin: string): object => ({
  ...sandbox.addresses(origin),
  ...(sandbox.name !== undefined && { name: sandbox.name }),
});

const done = (_: unknown): { readonly ok: true } => ({ ok: true });
