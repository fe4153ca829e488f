import { getRecordName } from '../request-log/record-name.ts';
import type { OutsideChange } from '../request-log/request-log.ts';
import type { World } from './world.ts';

/**
 * Makes a change from outside the API. With a history it can be undone like a request: the state before it is kept, and
 * the request log gets an entry that a rewind can name. Returns the record; a change that throws leaves no entry.
 */
export function changeFromOutside<T extends object>(world: World, about: OutsideChange, change: () => T): T {
  const { history, requestLog, clock, rules } = world;
  if (history === undefined) return change();
  const state = world.copyState();
  const record = change();
  const made = { ...about, recordId: getRecordId(about.resource, record), recordName: getRecordName(record) };
  const trace = requestLog.noteOutsideChange(rules.nextRequestId(), clock.now(), made);
  history.keep(trace, state);
  world.events?.addRequest(trace);
  return record;
}

/** The id of a record, as events and the audit log name it. A key is named, because its text is secret. */
function getRecordId(resource: string, record: object): string {
  const { id, name, accountId, userId } = record as Readonly<Record<string, unknown>>;
  if (resource === 'friends') return `${accountId}/${userId}`;
  return String(id ?? name);
}
