import type { OperationName } from '@orgchat/spec';
import type { ExplanationInput, Explanations, FaultReason } from './cause.ts';
import { explainSuccess } from './success.ts';

/* Armed faults that decided. */

/** What the contract says about a lost answer. */
const lostAnswer: Readonly<Record<OperationName, string>> = {
  getAccount: '7.3.4',
  addSeoKeywords: '7.3.1',
  readChat: '7.3.4',
  changeChat: '7.3.2',
  readStudio: '7.3.4',
};

const statusClauses: Readonly<Record<number, string>> = {
  400: '7.2.1',
  401: '7.2.3',
  403: '7.2.4',
  404: '7.2.5',
  409: '7.2.8',
  429: '7.2.9',
  500: '7.2.10',
  502: '7.2.11',
};

const getLostClause = ({ request }: ExplanationInput<FaultReason>): string =>
  lostAnswer[request.operation ?? 'getAccount'];

const disarm = (faultId: string): string => `Without it (DELETE /faults/${faultId})`;

export const faultCauses: Explanations<FaultReason> = {
  'dropped-request': {
    clause: getLostClause,
    decision: 'D94',
    because: ({ cause: { faultId } }) =>
      `Fault ${faultId} (drop-request) reset the connection before anything was checked or applied. ${disarm(faultId)} the request would have been handled.`,
  },
  'fault-answer': {
    clause: ({ cause }) => statusClauses[cause.status] ?? '7.1.5',
    decision: 'D94',
    because: ({ cause: { faultId, status } }) =>
      `Fault ${faultId} (respond) answered ${status} before anything was checked or applied. ${disarm(faultId)} the request would have been handled.`,
  },
  'lost-response': {
    clause: getLostClause,
    decision: 'D94',
    because: ({ cause: { faultId }, request }) =>
      `Fault ${faultId} (lose-response) reset the connection instead of sending the answer ${request.status}. ${explainSuccess(request)}`,
  },
  'cut-response': {
    clause: getLostClause,
    decision: 'D94',
    because: ({ cause: { faultId }, request }) =>
      `Fault ${faultId} (cut-response) cut the answer ${request.status} off halfway. ${explainSuccess(request)}`,
  },
  'failed-response': {
    clause: ({ cause }) => statusClauses[cause.status] ?? '7.1.5',
    decision: 'D94',
    because: ({ cause: { faultId, status }, request }) =>
      `Fault ${faultId} (fail-response) answered ${status} instead of the success. ${explainSuccess(request)}`,
  },
  'not-applied': {
    decision: 'D66',
    because: ({ cause: { faultId } }) =>
      `Fault ${faultId} (not-applied) left the change out: applied is false, and its operationId is free. ${disarm(faultId)} it would have been applied.`,
  },
  'unknown-outcome': {
    clause: '6.7',
    decision: 'D72',
    because: ({ cause: { faultId, applied }, request }) => {
      const ending = request.status === undefined ? 'reset the connection' : `answered ${request.status}`;
      return `Fault ${faultId} (uncertain) ${ending}, and the change was ${applied ? '' : 'not '}applied. ${disarm(faultId)} it would have been answered 200.`;
    },
  },
};
