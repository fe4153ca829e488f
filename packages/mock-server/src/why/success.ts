import type { DecidedBy, DecidedRequest } from './cause.ts';
import { show } from './words.ts';

/* Requests that succeeded. */

export type SuccessReason =
  | 'account-read'
  | 'keywords-added'
  | 'keywords-skipped'
  | 'chat-read'
  | 'studio-read'
  | 'change-applied'
  | 'replayed'
  | 'changed-from-outside'
  | 'rewound';

interface Success extends Omit<DecidedBy, 'because'> {
  readonly because: (request: DecidedRequest) => string;
}

const showKeyName = ({ keyName }: DecidedRequest): string => `Key ${show(keyName)}`;

const successes: Readonly<Record<SuccessReason, Success>> = {
  'account-read': {
    step: 'applyCommand',
    clause: '4.1.17',
    because: (request) =>
      `${showKeyName(request)} is valid and within its limits, so its account was returned.`,
  },
  'keywords-added': {
    step: 'applyCommand',
    clause: '4.2.13',
    because: (request) =>
      `${showKeyName(request)} may write, and the new keywords fit into the limits of site and plan.`,
  },
  'keywords-skipped': {
    step: 'applyCommand',
    clause: '4.2.12',
    decision: 'D37',
    because: () => 'The site has all of these keywords already, so none was added.',
  },
  'chat-read': {
    step: 'applyCommand',
    clause: '4.3.27',
    because: (request) => `${showKeyName(request)} may read ${request.resource}, and the request is valid.`,
  },
  'studio-read': {
    step: 'applyCommand',
    clause: '4.5.36',
    because: (request) =>
      `${showKeyName(request)} may read ${request.resource} of Studio, and the request is valid.`,
  },
  'change-applied': {
    step: 'writePlannedChange',
    clause: '6.3',
    because: ({ action, operationId, revisionBefore }) =>
      `operationId ${operationId} is new${revisionBefore === undefined ? '' : ', revision and label are current'}, so ${action} was applied.`,
  },
  replayed: {
    step: 'claimOperation',
    clause: '6.6',
    decision: 'D70',
    because: ({ operationId, replayOf }) =>
      `It repeats ${replayOf}: the same operationId ${operationId} with the same input. The stored answer was returned, and nothing was applied again.`,
  },
  'changed-from-outside': {
    step: 'changeFromOutside',
    decision: 'D94',
    because: ({ action, resource, recordId }) =>
      action === 'inject'
        ? `A call of the control API added ${recordId} to ${resource}, as if it happened outside the API.`
        : `A call of the control API changed ${recordId} of ${resource}, as another editor would.`,
  },
  rewound: {
    step: 'rewind',
    decision: 'D94',
    because: ({ rewoundTo }) =>
      `A call of the control API went back to the state just before ${rewoundTo}. Changes since then are undone.`,
  },
};

function getReason({ operation, applied, replayOf, rewoundTo, isRequest }: DecidedRequest): SuccessReason {
  if (rewoundTo !== undefined) return 'rewound';
  if (!isRequest) return 'changed-from-outside';
  if (replayOf !== undefined) return 'replayed';
  switch (operation) {
    case 'addSeoKeywords':
      return applied ? 'keywords-added' : 'keywords-skipped';
    case 'readChat':
      return 'chat-read';
    case 'changeChat':
      return 'change-applied';
    case 'readStudio':
      return 'studio-read';
    default:
      return 'account-read';
  }
}

/** What decided a request that succeeded. */
export function decideSuccess(request: DecidedRequest): DecidedBy {
  const { because, ...rest } = successes[getReason(request)];
  return { ...rest, because: because(request) };
}

/** Why a request succeeded, in a sentence. */
export const explainSuccess = (request: DecidedRequest): string => decideSuccess(request).because;
