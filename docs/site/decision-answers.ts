/** The beginning of what was decided, and the first sentence of it. Code may have a period. */
const rule = /^- \*\*(?:What we do|Decision):\*\*\s+(?:- )?((?:`[^`\n]*`|[^`\n])*?)(?:\.(?= |$)|:?$)/m;

/** Of longer ones, the title says more. */
const longest = 190;

/** Adds to the entries of the index of decisions what was decided in short: its first sentence. */
export function addAnswers(text: string): string {
  const entries = new Map(
    Array.from(text.matchAll(/^### (D\d+) .*\n((?:(?!#).*\n)*)/gm), ([, number = '', body = '']) => [
      number,
      rule.exec(body)?.[1] ?? '',
    ]),
  );
  return text.replace(/^- \[(D\d+) .*$/gm, (row, number: string) => {
    const answer = entries.get(number) ?? '';
    return answer === '' || answer.length > longest ? row : `${row}\\\n  <small>${answer}.</small>`;
  });
}
