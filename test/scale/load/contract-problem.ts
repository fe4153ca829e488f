import { document } from '../../../spec/test-support/document.ts';
import { checkAnswer } from '../../contract/answer-check/check-answer.ts';
import { loadRules } from '../../contract/answer-check/rules.ts';
import type { Answer, ApiRequest } from './connection.ts';

const rules = loadRules(document);

/** Returns how an answer violates spec/openapi.yaml. */
export function contractProblem(request: ApiRequest, { status, headers, text }: Answer): string | undefined {
  const { method, path } = request;
  const answer = {
    method,
    path: `/api/v1${path}`,
    sandboxId: null,
    status,
    headers,
    body: text,
    fault: null,
  };
  return checkAnswer(rules, answer);
}
