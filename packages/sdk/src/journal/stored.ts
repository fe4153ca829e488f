import { isObject } from '../assumed.ts';
import type { JournalEntry, JournalProblem } from './journal.ts';
import type { Owner } from './owner.ts';

/** What a file holds: an entry, and who is at work on it. */
export interface Stored {
  readonly entry: JournalEntry;
  readonly owner?: Owner;
}

const states = ['pending', 'unknown', 'applied', 'refused', 'abandoned'];
const strings = ['operationId', 'target', 'path', 'body', 'createdAt', 'updatedAt', 'deadline'] as const;

function isEntry(value: Record<string, unknown>): boolean {
  return (
    strings.every((name) => typeof value[name] === 'string') &&
    (value.kind === 'change' || value.kind === 'keywords') &&
    states.includes(String(value.state)) &&
    typeof value.attempts === 'number' &&
    (value.token === undefined || typeof value.token === 'string') &&
    holdsObject(String(value.body))
  );
}

/** Whether a body is what a write sends: the JSON of an object. */
function holdsObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

function isOwner(value: unknown): value is Owner {
  return (
    isObject(value) &&
    typeof value.host === 'string' &&
    typeof value.boot === 'string' &&
    typeof value.pid === 'number' &&
    typeof value.start === 'string'
  );
}

/** Reads a file of a journal; what cannot be used comes back as what is wrong with it. */
export function parseEntry(where: string, text: string): Stored | JournalProblem {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { where, reason: 'torn', message: 'it is cut off or garbled' };
  }
  if (!isObject(value) || !isObject(value.entry))
    return { where, reason: 'foreign', message: 'it is no entry' };
  const { entry, owner } = value;
  if (typeof entry.format === 'number' && entry.format > 2) {
    return {
      where,
      reason: 'format',
      message: `it was written in format ${entry.format}; this version reads 1 and 2`,
    };
  }
  if ((entry.format !== 1 && entry.format !== 2) || !isEntry(entry))
    return { where, reason: 'foreign', message: 'it is no entry' };
  // Every field was looked at above.
  const checked = entry as unknown as JournalEntry;
  return { entry: checked, ...(isOwner(owner) && { owner }) };
}
