import { CliError } from '../errors/cli-error.ts';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import { getKeywordOutcomeHint } from '../errors/keyword-outcome-hint.ts';
import type { ImportRecord, SentRequest } from './import-record.ts';
import { getKeywordStatus } from './keyword-status.ts';
import type { KeywordList } from './read-keywords.ts';

export interface ImportReport {
  /** Every keyword with its result, for JSON. */
  readonly document: Readonly<Record<string, unknown>>;
  /** The number of keywords per result, for tables. */
  readonly counts: Readonly<Record<string, unknown>>;
  readonly exit: ExitCode;
  readonly advice: readonly string[];
  /** Whether the site has any of the keywords, or may have. */
  readonly anyAccepted: boolean;
}

const keywordsIn = (requests: readonly SentRequest[]): string[] =>
  requests.flatMap(({ keywords }) => keywords);
const listed = (requests: readonly SentRequest[]) =>
  requests.map(({ operationId, keywords, error }) => ({ operationId, keywords, error }));

function outcomeUnknownError(unknown: readonly SentRequest[]): CliError {
  const [first] = unknown;
  return new CliError(`${keywordsIn(unknown).length} keywords have an unknown outcome and were not resent.`, {
    code: 'OUTCOME_UNKNOWN',
    exit: exitCodes.unknown,
    hint: getKeywordOutcomeHint(unknown.length === 1 ? (first?.operationId ?? 'ID') : 'ID'),
    operationId: unknown.length === 1 ? first?.operationId : undefined,
  });
}

/** Creates a report of each keyword: added, skipped, refused, unknown or not sent. */
export function createImportReport(
  record: ImportRecord,
  list: KeywordList,
  failure: CliError | undefined,
): ImportReport {
  const { added, skipped, unknown, open } = getKeywordStatus(list.keywords, record.requests);
  const refused = record.requests.filter(({ state }) => state === 'refused');
  const refusedKeywords = new Set(keywordsIn(refused));
  const notSent = open.filter((keyword) => !refusedKeywords.has(keyword));
  const cause = failure ?? (unknown.length > 0 ? outcomeUnknownError(unknown) : undefined);
  const about = {
    site: record.site,
    ...(record.group !== undefined && { group: record.group }),
    duplicates: list.duplicates,
    invalid: list.invalid.length,
  };
  return {
    document: {
      ...about,
      added,
      skipped,
      refused: listed(refused),
      unknown: listed(unknown),
      notSent,
      ...(list.invalid.length > 0 && { invalidKeywords: list.invalid }),
      ...cause?.toDocument(),
    },
    counts: {
      ...about,
      added: added.length,
      skipped: skipped.length,
      refused: refusedKeywords.size,
      unknown: keywordsIn(unknown).length,
      notSent: notSent.length,
    },
    exit: open.length + unknown.length === 0 ? exitCodes.done : exitCodes.unknown,
    anyAccepted: added.length + skipped.length + unknown.length > 0,
    advice: [
      ...(failure && failure.exit !== exitCodes.unknown ? [`${failure.message} ${failure.hint}`] : []),
      ...unknown.map(({ operationId, error }) => {
        const why = error?.reason === undefined ? '' : ` (${error.reason})`;
        return `request ${operationId}: outcome unknown${why}`;
      }),
      ...(unknown.length > 0
        ? [`${outcomeUnknownError(unknown).message} ${outcomeUnknownError(unknown).hint}`]
        : []),
      ...(refusedKeywords.size > 0 ? ['the next run resends refused keywords; fix the cause first'] : []),
      ...(notSent.length > 0 ? ['run the command again to send the rest'] : []),
    ],
  };
}
