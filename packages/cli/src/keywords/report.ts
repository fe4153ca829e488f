import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { howToSettleKeywords } from './advice.ts';
import type { KeywordList } from './read.ts';
import type { ImportRecord, SentRequest } from './record.ts';
import { standingOf } from './standing.ts';

export interface Report {
  /** Every keyword with what became of it, for programs. */
  readonly document: Readonly<Record<string, unknown>>;
  /** The numbers, for people. */
  readonly counts: Readonly<Record<string, unknown>>;
  readonly exit: ExitCode;
  readonly advice: readonly string[];
  /** Whether the site has any of the keywords, or may have. */
  readonly something: boolean;
}

const keywordsIn = (requests: readonly SentRequest[]): string[] =>
  requests.flatMap(({ keywords }) => keywords);
const listed = (requests: readonly SentRequest[]) =>
  requests.map(({ operationId, keywords, error }) => ({ operationId, keywords, error }));

function unknownFailure(unknown: readonly SentRequest[]): Failure {
  const [first] = unknown;
  return new Failure(
    `${keywordsIn(unknown).length} keywords may have been added; they were not sent again.`,
    {
      code: 'OUTCOME_UNKNOWN',
      exit: exitCodes.unknown,
      hint: howToSettleKeywords(unknown.length === 1 ? (first?.operationId ?? 'ID') : 'ID'),
      operationId: unknown.length === 1 ? first?.operationId : undefined,
    },
  );
}

/** What became of each keyword of the list: added, skipped, refused, unknown, or not sent. */
export function report(record: ImportRecord, list: KeywordList, failure: Failure | undefined): Report {
  const { added, skipped, unknown, open } = standingOf(list.keywords, record.requests);
  const refused = record.requests.filter(({ state }) => state === 'refused');
  const turnedDown = new Set(keywordsIn(refused));
  const notSent = open.filter((keyword) => !turnedDown.has(keyword));
  const cause = failure ?? (unknown.length > 0 ? unknownFailure(unknown) : undefined);
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
      refused: turnedDown.size,
      unknown: keywordsIn(unknown).length,
      notSent: notSent.length,
    },
    exit: open.length + unknown.length === 0 ? exitCodes.done : exitCodes.unknown,
    something: added.length + skipped.length + unknown.length > 0,
    advice: [
      ...(failure && failure.exit !== exitCodes.unknown ? [`${failure.message} ${failure.hint}`] : []),
      ...unknown.map(({ operationId, error }) => {
        const why = error?.reason === undefined ? '' : ` (${error.reason})`;
        return `request ${operationId}: outcome unknown${why}`;
      }),
      ...(unknown.length > 0 ? [`${unknownFailure(unknown).message} ${unknownFailure(unknown).hint}`] : []),
      ...(turnedDown.size > 0
        ? ['what was refused is sent again by the next run, when the cause is mended']
        : []),
      ...(notSent.length > 0 ? ['the rest is sent by the next run, or with --resume'] : []),
    ],
  };
}
