import { keywordLength, keywordsPerRequest } from '../generated/limits.ts';

/* Keywords as the contract counts them (4.2, D37). The CLI bundles this module, to read its files by the same rules. */

/** A keyword that the API would refuse, or that contains a line end or another control character. */
export interface InvalidKeyword {
  /** Its index in the input, from 0. */
  readonly index: number;
  /** As it was given. */
  readonly keyword: unknown;
  /** Completes the sentence "The keyword is …". */
  readonly reason: string;
}

/** Keywords that are ready to be sent. */
export interface KeywordList {
  /** Trimmed, each once, in the order of the input. */
  readonly keywords: readonly string[];
  /** How many of the input were left out because an equal one came before. */
  readonly duplicates: number;
  readonly invalid: readonly InvalidKeyword[];
}

/** Counts characters as the contract does: a surrogate pair is one. */
export function countCharacters(text: string): number {
  // Splitting a text is slow, and few texts have a surrogate.
  return /[\ud800-\udfff]/.test(text) ? [...text].length : text.length;
}

/** Returns whether a text can be encoded: half of a surrogate pair cannot. */
export const isUnicode = (text: string): boolean => !/[\ud800-\udfff]/u.test(text);

/**
 * Returns why a keyword, which is trimmed, is not sent. The contract allows control characters. But no one searches for
 * them: they come from a file that was read in a wrong way, and the API cannot remove a keyword.
 */
function findProblem(keyword: unknown): string | undefined {
  if (typeof keyword !== 'string') return 'not a string';
  if (keyword === '') return 'empty';
  if (countCharacters(keyword) > keywordLength) return `longer than ${keywordLength} characters`;
  if (!isUnicode(keyword)) return 'not valid Unicode';
  const [control] = /[\p{Cc}\u2028\u2029]/u.exec(keyword) ?? [];
  return control === undefined ? undefined : `not plain text: it contains ${nameCharacter(control)}`;
}

function nameCharacter(character: string): string {
  const code = `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  if (character === '\t') return `a tab (${code})`;
  return /[\n-\r\u0085\u2028\u2029]/.test(character)
    ? `a line end (${code})`
    : `a control character (${code})`;
}

/** Trims keywords, removes duplicates, and finds those that are not valid. Letter case and width count. */
export function createKeywordList(given: Iterable<unknown>): KeywordList {
  const keywords = new Set<string>();
  const invalid: InvalidKeyword[] = [];
  let duplicates = 0;
  let index = 0;
  for (const item of given) {
    const keyword = typeof item === 'string' ? item.trim() : item;
    const reason = findProblem(keyword);
    if (reason !== undefined) invalid.push({ index, keyword: item, reason });
    else if (keywords.has(keyword as string)) duplicates++;
    else keywords.add(keyword as string);
    index++;
  }
  return { keywords: [...keywords], duplicates, invalid };
}

/** Splits keywords into lists that a request can have. */
export function splitIntoRequests(keywords: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(keywords.length / keywordsPerRequest) }, (_, index) =>
    keywords.slice(index * keywordsPerRequest, (index + 1) * keywordsPerRequest),
  );
}
