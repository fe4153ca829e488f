import type { ControlCallName } from '../src/control/calls.ts';

export const controlTags = {
  Mock: 'The server, and its documents.',
  State: 'The whole state: save, replace, reset.',
  Faults: 'Faults to inject.',
  Requests: 'The requests of the API that the mock received.',
  Records: 'Settings, records, and what the API does not show.',
  Clock: 'The clock that limits and quotas follow.',
  Sandboxes: 'Isolated mocks.',
} as const;

/** How the document of the control API describes a call. */
export interface CallText {
  readonly summary: string;
  readonly description?: string;
  readonly tag: keyof typeof controlTags;
  /** Statuses beside those that every call has. */
  readonly errors?: readonly (404 | 409 | 503)[];
  /** A body that is accepted. */
  readonly example?: unknown;
}

export const controlTexts: Readonly<Record<ControlCallName, CallText>> = {
  getHealth: {
    summary: 'Check whether the mock is ready',
    description: 'Requires no token.',
    tag: 'Mock',
  },
  getOpenApiYaml: { summary: 'This document, in YAML', tag: 'Mock' },
  getOpenApiJson: { summary: 'This document, in JSON', tag: 'Mock' },
  getOpenApi30Yaml: { summary: 'This document in OpenAPI 3.0.3, in YAML', tag: 'Mock' },
  resetMock: {
    summary: 'Reset to the initial state',
    description: 'Resets state, clock, limits, faults and request log.',
    tag: 'State',
  },
  rewindMock: {
    summary: 'Go back to the state just before a request',
    description:
      'Clock, limits, faults and request log stay. 409 if history is off, the request changed nothing, or the state is not kept.',
    tag: 'State',
    errors: [404, 409],
    example: { requestId: 'req-00000007' },
  },
  getState: {
    summary: 'Save the whole state',
    description: 'A state that PUT /state would not accept because of its size is 409 STATE_TOO_LARGE.',
    tag: 'State',
    errors: [409],
  },
  replaceState: {
    summary: 'Replace the whole state',
    description: 'The state is restored entirely, or not at all.',
    tag: 'State',
    example: { organizations: [{ id: 'org_a', keys: [{ key: 'key-a', name: 'A', scope: 'write' }] }] },
  },
  listOrganizations: {
    summary: 'The organizations and their settings',
    tag: 'Records',
  },
  listKeys: {
    summary: 'The keys of an organization',
    tag: 'Records',
    errors: [404],
  },
  addKey: {
    summary: 'Add an API key',
    tag: 'Records',
    errors: [404, 409],
    example: { name: 'Second team', scope: 'write' },
  },
  patchOrganization: {
    summary: 'Change an organization',
    description: 'Effective with the next request.',
    tag: 'Records',
    errors: [404],
    example: { runtime: 'down' },
  },
  patchKey: {
    summary: 'Change a key or its creator',
    description: 'Effective with the next request.',
    tag: 'Records',
    errors: [404],
    example: { revoked: true },
  },
  patchLimits: {
    summary: 'Change the limits, or turn history on',
    description: 'Effective with the next request; a reset restores the initial values.',
    tag: 'Records',
    example: { rateLimit: 'off' },
  },
  listFaults: { summary: 'List armed faults and the requests that they hit', tag: 'Faults' },
  armFault: {
    summary: 'Arm a fault',
    description: 'A fault that no request or key could match is refused with the values that would work.',
    tag: 'Faults',
    errors: [409],
    example: { effect: 'lose-response', action: 'create-tags' },
  },
  disarmFaults: { summary: 'Disarm all faults', tag: 'Faults' },
  disarmFault: { summary: 'Disarm one fault', tag: 'Faults', errors: [404] },
  listRequests: {
    summary: 'The request log',
    description: 'The kept entries, oldest first. To continue, pass the id of the last entry as `after`.',
    tag: 'Requests',
  },
  getRequest: {
    summary: 'One request with headers and bodies',
    description: 'By its id, a number, or its requestId.',
    tag: 'Requests',
    errors: [404],
  },
  getRequestsHar: { summary: 'The request log as an HTTP archive (HAR 1.2)', tag: 'Requests' },
  clearRequests: { summary: 'Clear the request log', tag: 'Requests' },
  verifyRequests: {
    summary: 'Compare the number of matching requests with the expected number',
    description: '409 with the count and near misses if it differs, or if dropped entries could match.',
    tag: 'Requests',
    errors: [409],
    example: { operation: 'getAccount', status: 401, times: { atMost: 0 } },
  },
  getEvents: {
    summary: 'Stream events as Server-Sent Events',
    description:
      'The stream ends when the reader closes it, or when the server stops. A reader that was away continues after Last-Event-ID; the `gap` event says how many events it missed. The stream of the root mock also says when a sandbox is created or dropped.',
    tag: 'Requests',
    errors: [503],
  },
  listOperations: { summary: 'Changes by their operationId', tag: 'Records', errors: [404] },
  listAudit: { summary: 'The audit log', tag: 'Records', errors: [404] },
  listNotifications: {
    summary: 'Notifications that the service may send',
    tag: 'Records',
    errors: [404],
  },
  listKeywords: { summary: 'The keywords of a site', tag: 'Records', errors: [404] },
  listRecords: {
    summary: 'The records of a resource, newest first',
    description: 'Includes records that no key can read.',
    tag: 'Records',
    errors: [404],
  },
  addFriend: {
    summary: 'Add a friend',
    description: 'Ids and times may be omitted. Nothing enrolls, tags or notifies.',
    tag: 'Records',
    errors: [404, 409],
    example: { displayName: 'Mio Sato' },
  },
  addMessage: {
    summary: 'Add a message to the conversation with a friend',
    description: 'The conversation becomes the newest. No revision changes.',
    tag: 'Records',
    errors: [404, 409],
    example: { text: 'Are you open today?' },
  },
  addSubmission: {
    summary: 'Add a form submission',
    description: 'Default: from the newest friend.',
    tag: 'Records',
    errors: [404, 409],
    example: { values: { answer: 'Yes' } },
  },
  addClick: {
    summary: 'Add a link click',
    description: 'A link click. Default: by an unknown visitor, now.',
    tag: 'Records',
    errors: [404, 409],
    example: { clickedAt: '2999-01-01T00:00:00.000Z' },
  },
  addProject: {
    summary: 'Add a Studio project',
    tag: 'Records',
    errors: [404, 409],
    example: { name: 'Autumn campaign' },
  },
  addDocument: {
    summary: 'Add a document to a Studio project',
    tag: 'Records',
    errors: [404, 409],
    example: { title: 'Colors', kind: 'brand', body: '# Colors' },
  },
  addSite: {
    summary: 'Add a site',
    tag: 'Records',
    errors: [404, 409],
    example: { keywordLimit: 50 },
  },
  getClock: { summary: "The time of the mock's clock", tag: 'Clock' },
  moveClock: {
    summary: 'Move, freeze or unfreeze the clock',
    description: 'Limits and quotas follow the clock.',
    tag: 'Clock',
    example: { advanceMs: 60_000 },
  },
  createSandbox: {
    summary: 'Create a sandbox',
    description:
      'A mock with its own state, clock, limits, faults and request log. With `from`, it starts from the state just before a request of this mock.',
    tag: 'Sandboxes',
    errors: [404, 409],
    example: { name: 'orders test', rateLimit: 'off' },
  },
  listSandboxes: { summary: 'The sandboxes created from this mock or its sandboxes', tag: 'Sandboxes' },
  dropSandboxes: { summary: 'Remove all these sandboxes', tag: 'Sandboxes' },
  dropSandbox: { summary: 'Remove a sandbox', tag: 'Sandboxes', errors: [404] },
  editRecord: {
    summary: 'Edit a record as a concurrent editor would',
    tag: 'Records',
    errors: [404],
    example: {
      resource: 'tags',
      id: '0b9d7c52-4a0f-4a4e-9d77-3f6c2b1a8e10',
      data: { name: 'Edited' },
    },
  },
};
