import type { OperationName } from '../generated/endpoints.ts';
import { answerShapes } from '../generated/resources.ts';
import type { ApiResponse } from '../results/call-promise.ts';
import { findOtherId } from './record-problems.ts';
import { createUnexpectedShapeError } from './shape-errors.ts';
import { describeJson, findShapeProblem } from './shape-values.ts';

/* The contract shows the account and what Studio returns. These answers have every field that it promises. */

/** Throws unless a part of an answer has the fields of its shape. `place` names the part. */
export function requireAnswer(
  endpoint: OperationName,
  shape: keyof typeof answerShapes,
  answer: ApiResponse<unknown>,
  value: unknown,
  place = '',
  subject?: string,
): void {
  const problem = findShapeProblem(answerShapes[shape], value, true, place);
  if (!problem) return;
  const why = `The field ${problem.path} of the answer ${problem.why}. The contract promises it.`;
  throw createUnexpectedShapeError(endpoint, subject, answer, why, 'contract-violated');
}

/** Throws if a part of an answer of Studio is not what was asked for by its id. */
export function requireSameId(
  answer: ApiResponse<unknown>,
  part: unknown,
  place: string,
  id: string,
  subject: string,
): void {
  if (findOtherId(Object(part), { id }) === undefined) return;
  const why = `The answer has another ${place}: its id is not the one that was asked for. A gateway may have mixed up two answers.`;
  throw createUnexpectedShapeError('readStudio', subject, answer, why, 'contract-violated');
}

/** Returns the answer to reading a list of Studio, whose entries have every field that the contract promises. */
export function requireStudioPage<P extends object>(
  name: 'projects' | 'documents',
  answer: ApiResponse<P>,
  projectId?: string,
): ApiResponse<P> {
  const page = answer.data as Readonly<Record<string, unknown>>;
  const entries: unknown = page[name];
  if (!Array.isArray(entries)) {
    const why = `The answer has no list of ${name}. Check the base URL.`;
    throw createUnexpectedShapeError('readStudio', name, answer, why);
  }
  for (const [index, entry] of entries.entries()) {
    if (typeof entry !== 'object' || entry === null) {
      const why = `${name}[${index}] must be an object; got ${describeJson(entry)}.`;
      throw createUnexpectedShapeError('readStudio', name, answer, why);
    }
    requireAnswer(
      'readStudio',
      name === 'projects' ? 'project' : 'summary',
      answer,
      entry,
      `${name}[${index}]`,
      name,
    );
  }
  if (page.next !== null && typeof page.next !== 'string') {
    const why = `The field next of the answer must be a string or null; got ${describeJson(page.next)}. The contract promises it.`;
    throw createUnexpectedShapeError('readStudio', name, answer, why, 'contract-violated');
  }
  if (name === 'documents') requireAnswer('readStudio', 'project', answer, page.project, 'project', name);
  if (projectId !== undefined) requireSameId(answer, page.project, 'project', projectId, name);
  return answer;
}
