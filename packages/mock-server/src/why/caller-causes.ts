import { basePath, operationNames, operations } from '@orgchat/spec';
import { maskKey } from '../records/key.ts';
import { describeGone, describeUnknown } from '../sandboxes/gone-sandboxes.ts';
import type { Explanations } from './cause.ts';
import { show, showMoment, showSome, suggestKeys } from './words.ts';

/* Refusals before the body of a request is read: path, key, plan, limits and scope. */

/** The method and path of each operation, below a base path. */
const listPaths = (base = ''): string =>
  operationNames.map((name) => `${operations[name].method} ${base}${operations[name].path}`).join(', ');

const anyKey = (): boolean => true;

/** A key masked, with its length: of a short one, nothing else can be shown. */
const showSent = (key: string | undefined): string =>
  key === undefined ? '' : `: ${maskKey(key)} (${key.length} characters)`;

type CallerReason =
  | 'outside-base-url'
  | 'gone-sandbox'
  | 'unknown-sandbox'
  | 'unknown-path'
  | 'wrong-method'
  | 'no-key'
  | 'no-bearer-key'
  | 'unknown-key'
  | 'revoked-key'
  | 'deleted-organization'
  | 'plan-without-access'
  | 'suspended-creator'
  | 'monthly-quota'
  | 'minute-limit'
  | 'read-only-key'
  | 'creator-cannot-edit';

export const callerCauses: Explanations<CallerReason> = {
  'outside-base-url': {
    clause: '1.4',
    decision: 'D1',
    because: ({ request }) =>
      `${show(request.path)} is not below the base URL, whose path is ${basePath}. Use one of: ${listPaths(basePath)}.`,
  },
  'gone-sandbox': {
    clause: '1.4',
    decision: 'D1',
    because: ({ cause }) => describeGone(cause.gone),
  },
  'unknown-sandbox': {
    clause: '1.4',
    decision: 'D1',
    because: ({ cause }) => describeUnknown(cause.id),
  },
  'unknown-path': {
    clause: '1.5',
    decision: 'D1',
    because: ({ request }) => `The contract has no path ${show(request.path)}. Use one of: ${listPaths()}.`,
  },
  'wrong-method': {
    clause: '1.5',
    decision: 'D1',
    because: ({ request, cause }) =>
      `${request.path} does not support ${request.method}. Use ${cause.allowed}.`,
  },
  'no-key': {
    clause: '3.10',
    because: ({ world }) =>
      `The request has no header Authorization: Bearer KEY. ${suggestKeys(world, anyKey)}`,
  },
  'no-bearer-key': {
    clause: '3.1',
    decision: 'D4',
    because: ({ world }) =>
      `The Authorization header does not have the form "Bearer KEY". ${suggestKeys(world, anyKey)}`,
  },
  'unknown-key': {
    clause: '3.11',
    because: ({ world, request }) =>
      `The mock does not have the key that was sent${showSent(request.key)}. ${suggestKeys(world, anyKey)}`,
  },
  'revoked-key': {
    clause: '3.12',
    because: ({ world, cause }) =>
      `Key ${show(cause.keyName)} is revoked; PATCH /keys/{key} with { "revoked": false } restores it. ${suggestKeys(world, anyKey)}`,
  },
  'deleted-organization': {
    clause: '3.13',
    because: ({ world, cause }) =>
      `Organization ${show(cause.organizationId)} of the key is deleted. ${suggestKeys(world, anyKey)}`,
  },
  'plan-without-access': {
    clause: '3.14',
    decision: 'D33',
    because: ({ world, cause }) => {
      const plans = [...world.plans].filter(([, plan]) => plan.apiAccess).map(([name]) => name);
      return `Plan ${show(cause.plan)} of the organization has no API access. Use one of these plans: ${showSome(plans)} (PATCH /organization).`;
    },
  },
  'suspended-creator': {
    clause: '3.6',
    decision: 'D29',
    because: ({ world, cause }) =>
      `The creator of key ${show(cause.keyName)} is suspended or no longer a member. ${suggestKeys(world, anyKey)}`,
  },
  'monthly-quota': {
    clause: '8.2',
    decision: 'D34',
    because: ({ cause }) =>
      `The organization has reached its limit of ${cause.limit} requests this month. ${showNextAccepted(cause, 'monthlyLimit')}`,
  },
  'minute-limit': {
    clause: '8.1',
    decision: 'D80',
    because: ({ cause }) =>
      `The key has reached its limit of ${cause.limit} requests in 60 seconds. ${showNextAccepted(cause, 'rateLimit')}`,
  },
  'read-only-key': {
    clause: '3.8',
    decision: 'D28',
    because: ({ world, cause }) =>
      `Key ${show(cause.keyName)} has scope read, and this is a write. ${suggestKeys(world, canWrite)}`,
  },
  'creator-cannot-edit': {
    clause: '3.9',
    decision: 'D28',
    because: ({ world, cause }) =>
      `The creator of key ${show(cause.keyName)} cannot edit the organization. ${suggestKeys(world, canWrite)}`,
  },
};

const canWrite = ({ scope, editor }: { readonly scope: string; readonly editor: boolean }): boolean =>
  scope === 'write' && editor;

const showNextAccepted = (
  { limit, acceptedAt }: { readonly limit: number; readonly acceptedAt: number },
  option: 'rateLimit' | 'monthlyLimit',
): string =>
  limit === 0
    ? `Every request is refused until PATCH /limits changes ${option}.`
    : `The next request is accepted at ${showMoment(acceptedAt)} of the mock's clock.`;
