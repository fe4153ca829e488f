import { type OperationName, withArticle } from '@orgchat/spec';
import type { AuditEntry } from '../generated/public-types.ts';
import type { Cause, DecidingWorld, ExplanationInput, Explanations } from './cause.ts';
import { findChange, findDeletion } from './record-author.ts';
import { show, showPath, showSome } from './words.ts';

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
    because: ({ world, cause }) => {
      const what = `The organization has no ${cause.record} ${cause.id}`;
      return `${what}${showDeletion(world, cause.id)}. Use the id of an existing ${cause.record}.`;
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
    because: ({ world, cause }) => {
      const what = `${showPath(cause.path)} refers to ${cause.record} ${cause.id}, which does not exist`;
      return `${what}${showDeletion(world, cause.id)}. Use the id of an existing ${cause.record}.`;
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
    because: ({ world, cause }) =>
      `The ${cause.record} ${cause.id} is at revision ${cause.revision}, not ${cause.expectedRevision}: ${showHistory(world, cause)}. ${currentGuard(cause)}`,
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

/** Who deleted a record, as the end of a sentence; empty if that is not known. */
function showDeletion(world: DecidingWorld, id: string): string {
  const deletion = findDeletion(world, id);
  if (deletion !== undefined) return `: ${showAuthor(deletion)} deleted it`;
  const faultId = world.rivalDeletions.get(id);
  return faultId === undefined ? '' : `: fault ${faultId} (rival-edit) deleted it`;
}

const showAuthor = ({ requestId, key, keyName, action, at }: AuditEntry): string =>
  `key ${show(keyName)} (${key}) with ${action} in ${requestId} at ${at}`;

/** Who made the current revision of a record. */
function showHistory(world: DecidingWorld, cause: Cause<'stale-revision'>): string {
  const { editor } = cause;
  if (editor?.kind === 'control') return 'an edit by the control API (POST /edit) changed it';
  if (editor?.kind === 'deletion')
    return `the deletion of ${editor.record} ${editor.id} in ${editor.requestId} removed its reference`;
  if (editor?.kind === 'fault')
    return `fault ${editor.id} (rival-edit) changed it between the read and this request`;
  const change = findChange(world, cause.revision);
  if (change !== undefined) return `${showAuthor(change)} ${cause.version === 1 ? 'created' : 'changed'} it`;
  if (cause.version === 1) return 'it has not changed since the mock started';
  return 'a change that is not in the audit log created that revision';
}

function room({ limit, held }: { readonly limit: number; readonly held: number }): string {
  const free = Math.max(0, limit - held);
  if (free === 0) return 'The site accepts only keywords that it already has.';
  return free === 1 ? 'At most 1 new keyword fits.' : `At most ${free} new keywords fit.`;
}
