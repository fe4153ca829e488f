import { operations } from '@orgchat/spec';
import { isJsonType } from '../http/message.ts';
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
import type { ListedProblems } from './list-problems.ts';
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

/**
 * What decided a request; `decision` is undefined unless it was refused or a fault decided. It never throws: a single
 * request would make the whole log unreadable.
 */
export function explain(request: DecidedRequest, decision: Decision | undefined): DecidedBy {
  try {
    return explainRequest(request, decision);
  } catch (error) {
    const because = `The mock cannot say why, because of an error in it: ${String(error)}.`;
    return { step: decision?.step ?? 'endWithAnswer', clause: '7.2.10', because };
  }
}

function explainRequest(request: DecidedRequest, decision: Decision | undefined): DecidedBy {
  const decidedBy =
    decision !== undefined
      ? explainDecision(request, decision)
      : request.status === undefined
        ? inProgress
        : decideSuccess(request);
  const contentType = decision?.cause.reason === 'fault-answer' ? '' : mentionContentType(request);
  const more = `${contentType}${(request.faultHits ?? []).map(mention).join('')}`;
  return more === '' ? decidedBy : { ...decidedBy, because: decidedBy.because + more };
}

function explainDecision(request: DecidedRequest, { step, cause, world }: Decision): DecidedBy {
  // The reason is that of the cause, which the compiler cannot follow.
  const explanation = explanations[cause.reason] as unknown as Explanation<Reason>;
  const { clause, decision, because, problems } = explanation;
  const input = { cause, world, request } as ExplanationInput<Cause['reason']>;
  return {
    step,
    ...(clause !== undefined && { clause: typeof clause === 'string' ? clause : clause(input) }),
    ...(decision !== undefined && { decision }),
    because: because(input),
    ...(problems !== undefined && toFields(problems(input))),
  };
}

const toFields = ({ listed, more }: ListedProblems): Pick<DecidedBy, 'problems' | 'moreProblems'> => ({
  problems: listed,
  ...(more > 0 && { moreProblems: more }),
});

const inProgress: DecidedBy = {
  step: 'onArrival',
  clause: '7.3.4',
  decision: 'D94',
  because: 'The request is not answered yet.',
};

/** A body is read whatever its content type is (D5), which hides a mistake that another server may refuse. */
function mentionContentType({ operation, status, contentType }: DecidedRequest): string {
  const hasBody = operation !== undefined && operations[operation].method === 'POST';
  if (!hasBody || status === undefined || status >= 300 || isJsonType(contentType)) return '';
  const sent = contentType === undefined ? 'without a Content-Type' : `with Content-Type: ${contentType}`;
  return ` The body was read as JSON although it came ${sent}. Send application/json: another server may refuse it.`;
}

/** Faults that do not decide, but are part of why a request ended as it did. */
function mention({ id, effect }: FaultHit): string {
  if (effect === 'delay') return ` The delay fault (${id}) delays the answer.`;
  if (effect === 'skip-audit') return ` The skip-audit fault (${id}) kept the change out of the audit log.`;
  return '';
}
