/** Removes the slashes at the end of a text, in time proportional to their number; `/\/+$/` needs its square. */
export function removeTrailingSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}
