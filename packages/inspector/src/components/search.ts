/** Whether all words of a search occur somewhere in the texts, in any letter case. */
export function matchesWords(search: string, texts: readonly unknown[]): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const text = texts.join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}
