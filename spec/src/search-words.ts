/** The words of a search, in lower case. */
export const splitWords = (search: string): readonly string[] =>
  search.toLowerCase().split(/\s+/).filter(Boolean);
