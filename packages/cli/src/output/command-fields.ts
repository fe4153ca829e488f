import type { OutboxEntry, OutboxStats } from '@orgchat/fleet/postgres';
import type { OperationEntry } from '@orgchat/sdk';
import { mockFields } from './mock-fields.ts';

/*
 * The fields of what is not a record of the API. Those of types follow from the type, and a test compares the others with what
 * the commands print.
 */

/** The names of the fields of a type: the compiler refuses one that is missing, and one that the type does not have. */
const listNames = <T>(fields: Record<keyof T, true>): string[] => Object.keys(fields);

/** What rows have besides the fields of an entry. */
const summary = ['what', 'record'];
const operation = listNames<OperationEntry>({
  operationId: true,
  state: true,
  createdAt: true,
  updatedAt: true,
  attempts: true,
  error: true,
  change: true,
  kind: true,
  path: true,
  body: true,
  result: true,
  fingerprint: true,
  format: true,
  target: true,
  deadline: true,
  token: true,
  nextAttempt: true,
});
const outboxChange = listNames<OutboxEntry>({
  operationId: true,
  state: true,
  createdAt: true,
  attempts: true,
  error: true,
  change: true,
});
const outboxCounts = listNames<OutboxStats>({
  open: true,
  sending: true,
  refused: true,
  unknown: true,
  oldestOpenMs: true,
});
const plan = ['differences', 'changes', 'unchanged', 'unmanaged', 'only', 'warnings', 'unfinished'];
const applied = ['applied', 'replayed', 'unchanged', 'steps', 'failed', 'notStarted', 'unmanaged'];
const added = [
  ...['added', 'skipped', 'refused', 'unknown', 'notSent', 'duplicates', 'invalid', 'invalidKeywords'],
  ...['site', 'group', 'requests', 'error'],
];
const watched = ['type', 'id', 'at', 'friend', 'record', 'resource', 'since'];
const profile = ['profile', 'baseUrl', 'storage', 'journal', 'server'];
const keyOfProfile = ['organizationId', 'key', 'plan'];

/** The fields by command. */
export const commandFields: Readonly<Record<string, readonly string[]>> = {
  'auth login': [...profile, ...keyOfProfile],
  'auth status': ['baseUrl', 'baseUrlFrom', 'keyFrom', 'journal', 'journalFrom', ...keyOfProfile],
  'auth logout': ['profile', 'loggedOut'],
  'auth list': [...profile, 'current'],
  'auth switch': [...profile, 'current'],
  doctor: ['check', 'result', 'detail', 'hint'],
  'config export': ['file', 'result', 'records', 'kept', 'schema'],
  'config validate': ['file', 'valid', 'records', 'resources'],
  'config diff': plan,
  'config plan': plan,
  // With --dry-run, it prints the plan.
  'config apply': [...new Set([...applied, ...plan])],
  'keywords add': added,
  'keywords import': added,
  'ops list': [...operation, ...summary],
  'ops show': [...operation, 'reconciliation'],
  'ops adopt': [...operation, ...summary],
  'ops forget': ['operationId', 'forgotten'],
  'ops migrate': ['journal', 'migrated'],
  'outbox list': [...outboxChange, ...summary],
  'outbox show': outboxChange,
  'outbox retry': ['operationId', 'state'],
  'outbox remove': ['operationId', 'removed'],
  'outbox stats': outboxCounts,
  'watch messages': watched,
  'watch submissions': watched,
  'watch clicks': watched,
  'studio document': ['project', 'document'],
  'contract check': [
    ...['baseUrl', 'organization', 'requests', 'startedAt', 'stopped', 'topics', 'notAsked', 'differences'],
    ...['written', 'left', 'errors'],
  ],
  'contract clean': ['removed', 'left'],
  ...mockFields,
};
