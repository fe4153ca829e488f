import type { KeywordImportResult, KeywordRequest } from '@orgchat/sdk';
import type { Context } from '../context.ts';
import { getKeywordOutcomeHint } from '../error-conversion/outcome-hints.ts';
import { CliError } from '../errors/cli-error.ts';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import { toStoredRequest } from './import-checkpoint.ts';
import type { Destination } from './import-record.ts';
import type { KeywordList } from './read-keywords.ts';
import type { ImportRun } from './run-import.ts';

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

function outcomeUnknownError(
  { result, resendKeywords }: ImportRun,
  requests: readonly KeywordRequest[],
): CliError {
  const operationId = requests.length === 1 ? requests[0]?.operationId : undefined;
  return new CliError(`${result.unknown.length} keywords have an unknown outcome and were not resent.`, {
    code: 'OUTCOME_UNKNOWN',
    exit: exitCodes.unknown,
    hint: getKeywordOutcomeHint(operationId ?? 'ID', resendKeywords),
    operationId,
  });
}

/** The requests in a state, with those of their keywords that have this outcome. */
async function listRequests(
  context: Context,
  { requests }: KeywordImportResult,
  state: KeywordRequest['state'],
  outcome: readonly string[],
): Promise<KeywordRequest[]> {
  const listed = new Set(outcome);
  const inState = requests.filter((request) => request.state === state);
  const stored = await Promise.all(inState.map((request) => toStoredRequest(context, request)));
  return stored
    .map((request) => ({ ...request, keywords: request.keywords.filter((keyword) => listed.has(keyword)) }))
    .filter(({ keywords }) => keywords.length > 0);
}

const toRow = ({ operationId, keywords, error }: KeywordRequest) => ({ operationId, keywords, error });

/**
 * The error of an import that a limit of the site ended after other requests were answered: it is about the last request
 * only.
 */
function limitError(failure: CliError, lastRequest: KeywordRequest, added: number): CliError {
  const { cause, code, exit, operationId, meaning, extra } = failure;
  const serverMessage = cause instanceof Error && 'serverMessage' in cause ? cause.serverMessage : undefined;
  const why = String(serverMessage ?? code).replace(/[.。]$/, '');
  return new CliError(
    `The last request (${lastRequest.keywords.length} keywords) was refused: ${why}.${added > 0 ? ' The keywords added before stay.' : ''}`,
    {
      code,
      exit,
      hint: 'Remove keywords from the site or from the list, then run the command again.',
      operationId,
      meaning,
      extra,
      cause,
    },
  );
}

/** Creates a report of each keyword: added, skipped, refused, unknown or not sent. */
export async function createImportReport(
  context: Context,
  { site, group }: Destination,
  list: KeywordList,
  run: ImportRun,
): Promise<ImportReport> {
  const { result, failure: thrown } = run;
  const { added, skipped, notSent } = result;
  const refused = await listRequests(context, result, 'refused', result.refused);
  const unknown = await listRequests(context, result, 'unknown', result.unknown);
  const unknownError = unknown.length > 0 ? outcomeUnknownError(run, unknown) : undefined;
  const anyAccepted = added.length + skipped.length + unknown.length > 0;
  const last = refused.at(-1);
  const failure =
    thrown?.meaning === 'keywordLimitExceeded' && anyAccepted && last !== undefined
      ? limitError(thrown, last, added.length)
      : thrown;
  const about = {
    site,
    ...(group !== undefined && { group }),
    duplicates: list.duplicates,
    invalid: list.invalid.length,
  };
  const isDone = result.refused.length + notSent.length + result.unknown.length === 0;
  return {
    document: {
      ...about,
      added,
      skipped,
      refused: refused.map(toRow),
      unknown: unknown.map(toRow),
      notSent,
      ...(list.invalid.length > 0 && { invalidKeywords: list.invalid }),
      ...(failure ?? unknownError)?.toDocument(),
    },
    counts: {
      ...about,
      added: added.length,
      skipped: skipped.length,
      refused: result.refused.length,
      unknown: result.unknown.length,
      notSent: notSent.length,
    },
    exit: isDone ? exitCodes.done : exitCodes.unknown,
    anyAccepted,
    advice: [
      ...(failure && failure.exit !== exitCodes.unknown ? [`${failure.message} ${failure.hint}`] : []),
      ...unknown.map(({ operationId, error }) => {
        const why = error?.reason === undefined ? '' : ` (${error.reason})`;
        return `request ${operationId}: outcome unknown${why}`;
      }),
      ...(unknownError === undefined ? [] : [`${unknownError.message} ${unknownError.hint}`]),
      ...(refused.length > 0 && failure?.meaning !== 'keywordLimitExceeded'
        ? ['the next run resends refused keywords; fix the cause first']
        : []),
      ...(notSent.length > 0 ? ['run the command again to send the rest'] : []),
    ],
  };
}
