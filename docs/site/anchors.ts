/** The address of a heading on its page. That of a decision is its number: `D62`. */
export function toAnchor(heading: string): string {
  const [decision] = /^D\d+(?= )/.exec(heading) ?? [];
  if (decision !== undefined) return decision;
  return heading
    .replaceAll('`', '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}
