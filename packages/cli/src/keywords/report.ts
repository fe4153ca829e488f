import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Failure } from '../failure.ts';
import type { Chunk, ImportState } from './import-state.ts';
import type { KeywordList } from './read.ts';

export interface Report {
  /** Every keyword with what became of it, for programs. */
  readonly document: Readonly<Record<string, unknown>>;
  /** The numbers, for people. */
  readonly counts: Readonly<Record<string, unknown>>;
  readonly exit: ExitCode;
  readonly advice: readonly string[];
}

const keywordsIn = (chunks: readonly Chunk[]): string[] => chunks.flatMap(({ keywords }) => keywords);
const listed = (chunks: readonly Chunk[]) =>
  chunks.map(({ operationId, keywords, error }) => ({ operationId, keywords, error }));

/** What became of each keyword: added, skipped, refused, unknown, or not sent. */
export function report(state: ImportState, failure: Failure | undefined, list?: KeywordList): Report {
  const of = (...states: Chunk['state'][]): Chunk[] =>
    state.chunks.filter((chunk) => states.includes(chunk.state));
  const added = of('added').flatMap((chunk) => chunk.added);
  const skipped = of('added').flatMap((chunk) => chunk.skipped);
  const refused = of('refused');
  const unknown = of('unknown', 'sending');
  const rest = of('todo');
  const whole = refused.length + unknown.length + rest.length === 0;
  const about = {
    site: state.site,
    ...(state.group !== undefined && { group: state.group }),
    ...(list && { duplicates: list.duplicates, invalid: list.invalid.length }),
  };
  return {
    document: {
      ...about,
      added,
      skipped,
      refused: listed(refused),
      unknown: listed(unknown),
      notSent: keywordsIn(rest),
      ...(list && list.invalid.length > 0 && { invalidKeywords: list.invalid }),
      ...failure?.toDocument(),
    },
    counts: {
      ...about,
      added: added.length,
      skipped: skipped.length,
      refused: keywordsIn(refused).length,
      unknown: keywordsIn(unknown).length,
      notSent: keywordsIn(rest).length,
    },
    exit: whole ? exitCodes.done : exitCodes.unknown,
    advice: [
      ...unknown.map(
        ({ operationId }) =>
          `request ${operationId ?? ''}: outcome unknown, its keywords may have been added`,
      ),
      ...(unknown.length > 0 ? ["look at the site's keywords, or send them again with --retry-unknown"] : []),
      ...(failure ? [`${failure.message} ${failure.hint}`] : []),
      ...(rest.length > 0 ? ['the rest is sent with --resume'] : []),
    ],
  };
}
