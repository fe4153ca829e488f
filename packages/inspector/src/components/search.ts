import { splitWords } from '@orgchat/spec/search-words';

/** Whether all words of a search occur in a text in lower case. */
export const hasWords = (search: string, text: string): boolean =>
  splitWords(search).every((word) => text.includes(word));
