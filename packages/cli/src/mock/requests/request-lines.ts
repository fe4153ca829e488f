import { isObject } from '@orgchat/spec/is-object';
import { escapeLine } from '../../output/escape.ts';
import type { Row } from '../../output/output.ts';

/*
 * Requests of a mock's log as a person reads them. A row is an entry of the log as JSON, from whatever version of the
 * mock answers.
 */

/** The name of the key for people; the masked key if no key of the mock has it. */
export const showKey = ({ key, keyName }: Row): unknown => keyName ?? key;

/** The time of day, to the millisecond. */
export const showTime = ({ receivedAt }: Row): string => String(receivedAt).slice(11, 23);

/** What the request asked for: the action of a change, or the operation with what it reads. */
export const showAction = ({ action, operation, resource }: Row): unknown =>
  action ?? (typeof resource === 'string' ? `${String(operation)} ${resource}` : operation);

/**
 * The fields that say what came of a request. An entry of the mock of this process has them as well, whose reason is
 * made only when it is read.
 */
type Outcome = Partial<Readonly<Record<'status' | 'faults' | 'error' | 'answered', unknown>>>;

/** Whether a request is still delayed: nothing is decided yet. */
export const isPending = ({ status, faults }: Pick<Outcome, 'status' | 'faults'>): boolean =>
  status === null && Array.isArray(faults) && faults.every((fault) => fault === 'delay');

/** Whether a request was refused, or its answer did not arrive. */
export const isFailed = (row: Outcome): boolean =>
  !isPending(row) && (typeof row.error === 'string' || row.answered === false);

/** What came of a request, in a word or two. */
export function showOutcome(row: Row): string {
  const { status, answered, applied, replayOf, error } = row;
  if (isPending(row)) return 'pending';
  const parts = [
    ...(applied === true ? ['applied'] : []),
    ...(typeof replayOf === 'string' ? [`replay of ${replayOf}`] : []),
  ];
  if (status === null || answered === false) return [...parts, 'no answer'].join(', ');
  if (parts.length === 0) return typeof error === 'string' ? 'refused' : 'ok';
  return [...parts, ...(typeof error === 'string' ? ['failed'] : [])].join(', ');
}

/** Why a request ended as it did, and every problem of its body if it has several: the reason names only the first. */
export function listReasons({ decidedBy }: Row): string[] {
  if (!isObject(decidedBy) || typeof decidedBy.because !== 'string') return [];
  const problems = Array.isArray(decidedBy.problems) ? decidedBy.problems.filter(isObject) : [];
  const others = problems.length < 2 ? [] : problems.map(({ message }) => `- ${message}`);
  const { moreProblems: more } = decidedBy;
  return [decidedBy.because, ...others, ...(typeof more === 'number' ? [`- and ${more} more`] : [])];
}

/** A request in one line. */
export function toRequestLine(row: Row): string {
  const { id, path, status, error, applied, replayOf, faults, action, operation } = row;
  const parts = [
    id,
    showTime(row),
    action ?? operation ?? path,
    showKey(row) ?? 'no key',
    status ?? 'no answer',
    error,
    applied === true ? 'applied' : undefined,
    typeof replayOf === 'string' ? `replay of ${replayOf}` : undefined,
    Array.isArray(faults) ? faults.join(' ') : undefined,
  ];
  return escapeLine(parts.filter((part) => part !== undefined && part !== null && part !== '').join('  '));
}
