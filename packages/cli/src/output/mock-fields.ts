/*
 * The fields that commands of the mock print: those of the answers of its control API, and what a command adds.
 */

const done = ['ok'];
const request = [
  ...['id', 'requestId', 'receivedAt', 'method', 'path', 'operation', 'action', 'resource', 'operationId'],
  ...['key', 'keyName', 'answered', 'status', 'error', 'applied', 'replayOf', 'recordId', 'recordName'],
  ...['revisionBefore', 'revisionAfter', 'faults', 'rewoundTo', 'decidedBy'],
];
const fault = [
  ...['id', 'effect', 'operation', 'action', 'resource', 'key', 'after', 'times', 'probability', 'seen'],
  ...['remaining', 'hits', 'status', 'error', 'undeclared', 'delayMs', 'applied', 'retryAfter', 'answer'],
  ...['resolve', 'data', 'delete'],
];
const sandbox = ['id', 'name', 'baseUrl', 'controlUrl'];

/** The fields by command. */
export const mockFields: Readonly<Record<string, readonly string[]>> = {
  'mock wait': ['ready', 'baseUrl', 'controlUrl'],
  'mock stop': ['stopped', 'baseUrl', 'pid', 'note', 'log'],
  'mock open': ['opened', 'inspectorUrl'],
  'mock reset': done,
  'mock rewind': ['id', 'requestId'],
  'mock state load': done,
  'mock fault add': fault,
  'mock fault list': fault,
  'mock fault clear': ['disarmed'],
  'mock requests list': request,
  'mock requests show': [...request, 'request', 'response'],
  'mock requests clear': done,
  'mock requests verify': done,
  'mock clock': ['now', 'iso', 'frozen'],
  'mock limits': ['rateLimit', 'monthlyLimit', 'history'],
  'mock sandbox create': sandbox,
  'mock sandbox list': [...sandbox, 'expiresAt', 'requests', 'refused', 'lastRequestAt', 'lastRefusal'],
  'mock sandbox drop': [...done, 'dropped'],
};

/** The fields of what `mock inject` adds. */
export const injectedFields = {
  friend: [
    ...['accountId', 'userId', 'revision', 'label', 'displayName', 'status', 'notes', 'tagIds', 'createdAt'],
    'updatedAt',
  ],
  message: ['id', 'accountId', 'userId', 'direction', 'text', 'sentAt'],
  submission: ['id', 'formId', 'accountId', 'userId', 'values', 'submittedAt'],
  click: ['id', 'linkId', 'accountId', 'userId', 'clickedAt'],
  project: ['id', 'name', 'description', 'archived', 'updatedAt'],
  document: ['id', 'title', 'kind', 'updatedAt', 'body'],
  site: ['id', 'name', 'keywordLimit'],
  key: ['key', 'name', 'organizationId', 'scope', 'revoked', 'suspended', 'editor', 'accountIds'],
} as const;

/** The fields of the reports of `mock drill`. */
export const drillFields = {
  client: ['command', 'writes', 'runs', 'ok', 'lost', 'doubled', 'rows', 'notTried'],
  apply: ['steps', 'kills', 'replayed', 'appliedTwice', 'lost', 'rounds'],
};
