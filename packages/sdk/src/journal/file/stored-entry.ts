import type { ProcessIdentity } from '@orgchat/atomic-files';
import { isObject } from '../../values.ts';
import type { JournalEntry, JournalProblem } from '../journal.ts';

/** The content of a file: an entry, and the process that holds it. */
export interface StoredEntry {
  readonly entry: JournalEntry;
  readonly owner?: ProcessIdentity;
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
    (value.nextAttempt === undefined || isNextAttempt(value.nextAttempt)) &&
    isJsonObject(String(value.body))
  );
}

function isNextAttempt(value: unknown): boolean {
  return isObject(value) && typeof value.at === 'string' && typeof value.repeats === 'number';
}

/** Returns whether a text is the JSON of an object, as the body of a write is. */
function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

function isOwner(value: unknown): value is ProcessIdentity {
  return (
    isObject(value) &&
    typeof value.host === 'string' &&
    typeof value.boot === 'string' &&
    typeof value.pid === 'number' &&
    typeof value.start === 'string'
  );
}

/** Parses a file of a journal. Returns a problem if it cannot be used. */
export function parseEntry(location: string, text: string): StoredEntry | JournalProblem {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { location, reason: 'truncated', message: 'the file is truncated or corrupted' };
  }
  if (!isObject(value) || !isObject(value.entry))
    return { location, reason: 'foreign', message: 'the file is not a journal entry' };
  const { entry, owner } = value;
  if (typeof entry.format === 'number' && entry.format > 2) {
    return {
      location,
      reason: 'format',
      message: `the entry has format ${entry.format}; this version reads formats 1 and 2`,
    };
  }
  if ((entry.format !== 1 && entry.format !== 2) || !isEntry(entry))
    return { location, reason: 'foreign', message: 'the file is not a journal entry' };
  // Every field was looked at above.
  const checked = entry as unknown as JournalEntry;
  return { entry: checked, ...(isOwner(owner) && { owner }) };
}
