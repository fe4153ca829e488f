import { isObject } from '@orgchat/spec';
import type { Observation } from './probe-result.ts';

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** The fields of an object that are date-times by name and value. What users wrote may look like one, too. */
const listTimes = (value: unknown): RegExpExecArray[] =>
  Object.entries(isObject(value) ? value : {}).flatMap(([name, text]) => {
    const match = /at$/i.test(name) && typeof text === 'string' ? dateTime.exec(text) : null;
    return match === null ? [] : [match];
  });

/** Whether the date-times at the top of an object have milliseconds; nothing if it has none. */
export function readDates(value: unknown, place: string): readonly Observation[] {
  const times = listTimes(value);
  const hasFractions = times.some(([, fraction]) => fraction !== undefined);
  return times.length === 0 ? [] : [{ topic: 'behavior.dates', place, fact: hasFractions ? 'ms' : 's' }];
}
