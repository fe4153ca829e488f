import { readText } from './logged-body.ts';
import { findRecordName } from './record-name.ts';
import { getResponseBody } from './request-detail.ts';
import type { Trace } from './trace.ts';

/** Whether all words occur in a request, in any letter case: in its entry, its outcome or one of its bodies. */
export function hasWords(trace: Trace, words: readonly string[]): boolean {
  const texts = words.length === 0 ? [] : [toEntryText, toRequestText, toAnswerText];
  let missing = words;
  // Most words are in the entry, and bodies may be large.
  for (const toText of texts) {
    const text = toText(trace).toLowerCase();
    missing = missing.filter((word) => !text.includes(word));
    if (missing.length === 0) return true;
  }
  return missing.length === 0;
}

/** What the entry of a request says, with the words for its outcome. Only refusals and faults have a reason to look into. */
function toEntryText(trace: Trace): string {
  return [
    trace.requestId,
    trace.method,
    trace.path,
    trace.operation,
    trace.action,
    trace.resource,
    trace.operationId,
    trace.keyName,
    trace.status,
    trace.error,
    findRecordName(trace),
    trace.recordId,
    trace.revisionBefore,
    trace.revisionAfter,
    trace.replayOf,
    trace.rewoundTo,
    trace.applied ? 'applied' : '',
    trace.replayOf === undefined ? '' : 'replayed',
    trace.answered ? '' : 'no answer',
    ...(trace.faultHits ?? []).map(({ effect }) => effect),
    trace.decision === undefined ? '' : trace.toEntry().decidedBy.because,
  ].join(' ');
}

const toRequestText = ({ requestBody }: Trace): string => decodeEscapes(readText(requestBody) ?? '');

const toAnswerText = (trace: Trace): string => decodeEscapes(readText(getResponseBody(trace)) ?? '');

/** Some clients send JSON in ASCII: what they escaped is found by its letters. */
function decodeEscapes(text: string): string {
  if (!text.includes('\\u')) return text;
  return text.replace(/\\u([0-9a-f]{4})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}
