import {
  configurationResources,
  isObject,
  type OperationName,
  singularNames,
  withArticle,
} from '@orgchat/spec';
import type { AuditEntry } from '../generated/public-types.ts';
import { maskKey } from '../records/key.ts';
import type { Cause, DecidedRequest, ExplanationInput, Explanations } from './cause.ts';
import { findChange, findDeletion } from './record-author.ts';
import { mostNamed, show, showEarlier, showPath, showSome } from './words.ts';

/* Refusals because of records: those that do not exist, have changed, or would be too many. */

type RecordReason =
  | 'runtime-down'
  | 'studio-disabled'
  | 'unknown-site'
  | 'unknown-record'
  | 'unassigned-account'
  | 'other-project'
  | 'unknown-reference'
  | 'unassigned-reference'
  | 'still-used'
  | 'other-account'
  | 'duplicate-name'
  | 'stale-revision'
  | 'stale-label'
  | 'site-keyword-limit'
  | 'plan-keyword-limit';

/** The clauses of an unavailable runtime. The other operations do not need it. */
const runtimeDown: Readonly<Record<OperationName, string>> = {
  getAccount: '3.6',
  addSeoKeywords: '3.6',
  readChat: '4.3.31',
  changeChat: '4.4.46',
  readStudio: '4.5.45',
};

export const recordCauses: Explanations<RecordReason> = {
  'runtime-down': {
    clause: ({ request }) => runtimeDown[request.operation ?? 'getAccount'],
    decision: 'D52',
    because: () =>
      'The runtime of the organization is down. Send PATCH /organization { "runtime": "up" }, then send the request again.',
  },
  'studio-disabled': {
    clause: '4.5.40',
    decision: 'D91',
    because: () =>
      'Studio is not enabled for the organization. Send PATCH /organization { "studio": true }, then send the request again.',
  },
  'unknown-site': {
    clause: '4.2.18',
    because: ({ world, cause }) => {
      const sites = [...(world.organizations.get(cause.organizationId)?.sites.keys() ?? [])];
      const known = sites.length === 0 ? 'It has no sites.' : `Use one of these sites: ${showSome(sites)}.`;
      return `The organization ${cause.organizationId} of the key has no site ${show(cause.siteId)}. ${known}`;
    },
  },
  'unknown-record': {
    clause: getRecordClause,
    because: (input) => {
      const { record, id } = input.cause;
      return `${showLoss(input)}: the organization has no ${record} ${id}. ${showExisting(input)}`;
    },
  },
  'unassigned-account': {
    clause: '1.10',
    decision: 'D30',
    because: ({ cause: { record, id }, request }) =>
      `The ${record} ${id} exists, but ${record === 'account' ? 'it' : 'its account'} is not assigned to the creator of key ${show(request.keyName)}. Use a key of that account, or assign all accounts: PATCH /keys/{key} { "accountIds": null }.`,
  },
  'other-project': {
    clause: '4.5.42',
    decision: 'D91',
    because: ({ cause }) =>
      `Document ${cause.id} is not in the project that was named. Use projectId ${cause.projectId}.`,
  },
  'unknown-reference': {
    clause: '4.4.40',
    decision: 'D62',
    because: (input) => {
      const { record, id, path } = input.cause;
      const deleter = getDeleter(input);
      const loss = deleter === undefined ? 'does not exist' : `was deleted by ${deleter}`;
      return `${showPath(path)} refers to ${record}${showName(input)} ${id}, which ${loss}. ${showExisting(input)}`;
    },
  },
  'unassigned-reference': {
    clause: '1.10',
    decision: 'D62',
    because: ({ cause: { record, id, path }, request }) => {
      const [what, usable] =
        record === 'account' ? ['which', 'an'] : ['whose account', `${withArticle(record)} of an`];
      return `${showPath(path)} refers to ${record} ${id}, ${what} is not assigned to the creator of key ${show(request.keyName)}. Use the id of ${usable} assigned account.`;
    },
  },
  'still-used': {
    clause: '4.4.27',
    decision: 'D63',
    because: ({ cause: { record, id, users, more } }) =>
      `The mock refuses to delete a record that others refer to (onDelete: refuse), and the ${record} ${id} is used by ${[...users, ...(more > 0 ? [`${more} more`] : [])].join(', ')}. Change those first.`,
  },
  'other-account': {
    clause: '4.4.40',
    decision: 'D61',
    because: ({ cause: { record, id, accountId } }) =>
      `The ${record} ${id} belongs to account ${accountId}, and the friend to another one. Use a ${record} of the friend's account, or one without an account.`,
  },
  'duplicate-name': {
    decision: 'D96',
    because: ({ cause: { record, id } }) =>
      `The ${record} ${id} has this name, and the server of the description refuses duplicates. Use another name.`,
  },
  'stale-revision': {
    clause: '4.4.41',
    decision: 'D56',
    because: (input) => {
      const { record, id, revision, expectedRevision } = input.cause;
      return `${showHistory(input)}: the ${record} ${id} is at revision ${revision}, not ${expectedRevision}. ${currentGuard(input.cause)}`;
    },
  },
  'stale-label': {
    clause: '4.4.47',
    decision: 'D56',
    because: ({ cause }) =>
      `The revision is current, but the label of ${cause.record} ${cause.id} is ${show(cause.label)}, not ${show(cause.expectedLabel)}. ${currentGuard(cause)}`,
  },
  'site-keyword-limit': {
    clause: '4.2.15',
    decision: 'D39',
    because: ({ cause }) =>
      `Site ${show(cause.siteId)} holds ${cause.held} of at most ${cause.limit} keywords, and the request adds ${cause.added}. ${room(cause)}`,
  },
  'plan-keyword-limit': {
    clause: '4.2.15',
    decision: 'D39',
    because: ({ cause }) =>
      `The sites of the organization hold ${cause.held} of the ${cause.limit} keywords of its plan, and the request adds ${cause.added}. ${room(cause)}`,
  },
};

function getRecordClause({ cause, request }: ExplanationInput<'unknown-record'>): string {
  if (request.operation === 'changeChat') return '4.4.40';
  if (request.operation === 'readChat') return '4.3.32';
  return cause.record === 'project' ? '4.5.41' : '4.5.42';
}

const currentGuard = ({ revision, label }: Cause<'stale-revision' | 'stale-label'>): string =>
  `Use expectedRevision ${revision} and expectedLabel ${show(label)}.`;

type Named = ExplanationInput<'unknown-record' | 'unknown-reference'>;

const capitalize = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** The name that a deleted record had, as the audit log has it. */
function getDeletedName({ world, cause: { id } }: Named): string | undefined {
  const recordName = findDeletion(world, id)?.recordName;
  return typeof recordName === 'string' ? recordName : undefined;
}

/** What the request expects the record to be called. It may never have had that name. */
function getExpectedLabel({ cause: { id }, request }: Named): string | undefined {
  const body = request.readJson();
  const change = isObject(body) && isObject(body.change) ? body.change : {};
  return change.id === id && typeof change.expectedLabel === 'string' ? change.expectedLabel : undefined;
}

/** Who deleted a record, if that is known. */
function getDeleter({ world, cause: { id }, request }: Named): string | undefined {
  const deletion = findDeletion(world, id);
  if (deletion !== undefined) return showAuthor(deletion, request);
  const faultId = world.rivalDeletions.get(id);
  return faultId === undefined ? undefined : `fault ${faultId} (rival-edit)`;
}

/** Why there is no such record: who deleted it, if that is known. */
function showLoss(input: Named): string {
  const record = `${input.cause.record}${showName(input)}`;
  const deleter = getDeleter(input);
  return deleter === undefined ? `Unknown ${record}` : `${capitalize(record)} was deleted by ${deleter}`;
}

function showName(input: Named): string {
  const name = getDeletedName(input);
  if (name !== undefined) return ` ${show(name)}`;
  const label = getExpectedLabel(input);
  return label === undefined ? '' : ` (expectedLabel ${show(label)})`;
}

/** Maximum number of records among which one of the same name is sought, the newest first. */
const mostSearched = 1000;

/** The newest records of the kind that the key can read; first those with the name of the one that is gone. */
function showExisting(input: Named): string {
  const {
    world,
    cause: { record },
    request,
  } = input;
  const resource = configurationResources.find((name) => singularNames[name] === record);
  const organization = world.organizations.get(request.organizationId ?? '');
  if (resource === undefined || organization === undefined) return `Use the id of an existing ${record}.`;
  const scope = world.listKeys().find(({ key }) => key === request.key)?.accountScope;
  const { [resource]: records } = organization.stored.configurations;
  const name = getDeletedName(input) ?? getExpectedLabel(input);
  const { entries, total } = records.page(scope, 0, name === undefined ? mostNamed : mostSearched);
  if (total === 0) {
    if (records.page(undefined, 0, 1).total === 0)
      return `The organization has no ${record}: create one first.`;
    return `Every ${record} of the organization belongs to an account that is not assigned to the creator of key ${show(request.keyName)}. Create one in an assigned account, or assign all accounts: PATCH /keys/{key} { "accountIds": null }.`;
  }
  const isSame = ({ label }: { readonly label: string }): boolean => label === name;
  const same = entries.filter(isSame).slice(0, mostNamed);
  const others = entries.filter((entry) => !isSame(entry)).slice(0, mostNamed - same.length);
  const showAll = (shown: typeof entries): string =>
    shown.map(({ label, id }) => `${show(label)} (${id})`).join(', ');
  const named = same.length + others.length;
  const more = total > named ? ` and ${total - named} more` : '';
  if (same.length === 0) return `Use the id of an existing ${record}: ${showAll(others)}${more}.`;
  const further = others.length === 0 ? '' : `, or of a ${record} with another name: ${showAll(others)}`;
  return `Use the id of another ${record} with the same name: ${showAll(same)}${further}${more}.`;
}

/** `your own key "Demo write key" 37 ms earlier (update-tags in req-00000007)`. */
function showAuthor({ requestId, key, keyName, action, at }: AuditEntry, request: DecidedRequest): string {
  const isOwn = request.key !== undefined && maskKey(request.key) === key && request.keyName === keyName;
  const when = showEarlier(request.receivedAt - Date.parse(at)) ?? `at ${at}`;
  return `${isOwn ? 'your own ' : ''}key ${show(keyName)} ${when} (${action} in ${requestId})`;
}

/** Who made the current revision of a record. */
function showHistory({ world, cause, request }: ExplanationInput<'stale-revision'>): string {
  const { editor } = cause;
  if (editor?.kind === 'control') return 'Changed by an edit of the control API (POST /edit)';
  if (editor?.kind === 'deletion')
    return `Changed by the deletion of ${editor.record} ${editor.id} in ${editor.requestId}, which removed the reference`;
  if (editor?.kind === 'fault')
    return `Changed by fault ${editor.id} (rival-edit) between the read and this request`;
  const change = findChange(world, cause.revision);
  if (change !== undefined)
    return `${cause.version === 1 ? 'Created' : 'Changed'} by ${showAuthor(change, request)}`;
  if (cause.version === 1) return 'Not changed since the mock started';
  return 'Changed by somebody who is not in the audit log';
}

function room({ limit, held }: { readonly limit: number; readonly held: number }): string {
  const free = Math.max(0, limit - held);
  if (free === 0) return 'The site accepts only keywords that it already has.';
  return free === 1 ? 'At most 1 new keyword fits.' : `At most ${free} new keywords fit.`;
}
