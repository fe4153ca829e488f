import { document } from '../../spec/testing/document.ts';
import { problemOf } from '../judge/judge.ts';
import { loadRules } from '../judge/rules.ts';
import type { Answer, ApiRequest } from './connection.ts';

const rules = loadRules(document);

/** What spec/openapi.yaml does not allow in an answer as it came over the wire. */
export function undeclaredIn(request: ApiRequest, { status, headers, text }: Answer): string | undefined {
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
  return problemOf(rules, answer);
}
