import { distance } from 'fastest-levenshtein';

/** More changes than this, or than half of the word, are not a typo. */
const maxDistance = 3;

/** The known word that was probably meant; undefined if none is close. */
export function similarWord(word: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, changes: distance(word, candidate) }))
    .filter(
      ({ candidate, changes }) =>
        changes <= maxDistance && changes * 2 <= Math.max(word.length, candidate.length),
    )
    .toSorted((one, other) => one.changes - other.changes);
  return ranked[0]?.candidate;
}
