/** The address of a heading on its page. That of a decision or a section of the contract is its number: `D62`, `4.3`. */
export function toAnchor(heading: string): string {
  const [number] = /^(?:D\d+|\d+\.\d+)(?= )/.exec(heading) ?? [];
  if (number !== undefined) return number;
  return heading
    .replaceAll('`', '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}
