import { isObject } from '@orgchat/spec';
import type { OperationName } from '../generated/public-types.ts';
import { truncate } from '../primitives/kept-text.ts';

/** What the log knows of a request that may name its record. */
interface NamedRequest {
  readonly operation: OperationName | undefined;
  /** The name, if a change noted it. */
  readonly recordName: string | undefined;
  readJson(): unknown;
  readResult(): unknown;
}

/** The fields that name a record, best first. */
const nameFields = ['label', 'displayName', 'name', 'title', 'keyword', 'scenarioName', 'text'] as const;

/** The name that a record has in its fields. */
export function getRecordName(record: unknown): string | undefined {
  if (!isObject(record)) return undefined;
  const field = nameFields.find((name) => typeof record[name] === 'string' && record[name] !== '');
  return field === undefined ? undefined : String(record[field]);
}

const mostKeywords = 3;

/** The first keywords of a keyword write. */
function listKeywords({ keywords }: Readonly<Record<string, unknown>>): string | undefined {
  const sent = Array.isArray(keywords) ? keywords.filter((keyword) => typeof keyword === 'string') : [];
  if (sent.length === 0) return undefined;
  const first = sent.slice(0, mostKeywords).join(', ');
  const more = sent.length - mostKeywords;
  return more > 0 ? `${first} and ${more} more` : first;
}

/**
 * The name of the record that a request creates, reads or changes, whatever its answer was: a refused request has at least
 * the name that it sent. Made when somebody reads the log.
 */
export const findRecordName = (request: NamedRequest): string | undefined =>
  truncate(request.recordName ?? readName(request));

function readName(request: NamedRequest): string | undefined {
  switch (request.operation) {
    case 'addSeoKeywords': {
      const body = request.readJson();
      return isObject(body) ? listKeywords(body) : undefined;
    }
    case 'changeChat': {
      const body = request.readJson();
      const change = isObject(body) && isObject(body.change) ? body.change : {};
      const { expectedLabel, data } = change;
      const sent = typeof expectedLabel === 'string' ? expectedLabel : getRecordName(data);
      return getRecordName(request.readResult()) ?? sent;
    }
    case 'readChat':
    case 'readStudio': {
      const answer = request.readResult();
      return isObject(answer) ? getRecordName(answer.document ?? answer.record) : undefined;
    }
    default:
      return undefined;
  }
}
