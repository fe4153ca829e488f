import { bodyCauses } from './body-causes.ts';
import { callerCauses } from './caller-causes.ts';
import type {
  Cause,
  DecidedBy,
  DecidedRequest,
  Decision,
  Explanation,
  ExplanationInput,
  Explanations,
  FaultHit,
  Reason,
} from './cause.ts';
import { faultCauses } from './fault-causes.ts';
import { operationCauses } from './operation-causes.ts';
import { recordCauses } from './record-causes.ts';
import { decideSuccess } from './success.ts';

/** How each reason is explained. The compiler finds a reason that is missing here. */
const explanations: Explanations<Reason> = {
  ...callerCauses,
  ...bodyCauses,
  ...recordCauses,
  ...operationCauses,
  ...faultCauses,
};

/** What decided a request; `decision` is undefined unless it was refused or a fault decided. */
export function explain(request: DecidedRequest, decision: Decision | undefined): DecidedBy {
  const decidedBy =
    decision !== undefined
      ? explainDecision(request, decision)
      : request.status === undefined
        ? inProgress
        : decideSuccess(request);
  const more = (request.faultHits ?? []).map(mention).join('');
  return more === '' ? decidedBy : { ...decidedBy, because: decidedBy.because + more };
}

function explainDecision(request: DecidedRequest, { step, cause, world }: Decision): DecidedBy {
  // The reason is that of the cause, which the compiler cannot follow.
  const { clause, decision, because } = explanations[cause.reason] as unknown as Explanation<Reason>;
  const input = { cause, world, request } as ExplanationInput<Cause['reason']>;
  return {
    step,
    ...(clause !== undefined && { clause: typeof clause === 'string' ? clause : clause(input) }),
    ...(decision !== undefined && { decision }),
    because: because(input),
  };
}

const inProgress: DecidedBy = {
  step: 'onArrival',
  clause: '7.3.4',
  decision: 'D94',
  because: 'The request is not answered yet.',
};

/** Faults that do not decide, but are part of why a request ended as it did. */
function mention({ id, effect }: FaultHit): string {
  if (effect === 'delay') return ` Fault ${id} (delay) delays the answer.`;
  if (effect === 'skip-audit') return ` Fault ${id} (skip-audit) kept the change out of the audit log.`;
  return '';
}
