/** What Stryker writes down of a run, as far as it is read here (mutation-testing-report-schema 2). */
export interface MutationReport {
  readonly framework: { readonly version: string };
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

interface Place {
  readonly line: number;
  readonly column: number;
}

interface Mutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: string;
  /** Why it was left out, for one that is `Ignored`. */
  readonly statusReason?: string;
  readonly location: { readonly start: Place; readonly end: Place };
}

interface Count {
  readonly killed: number;
  readonly timeout: number;
  readonly survived: number;
  readonly uncovered: number;
  readonly ignored: number;
}

function countOf(mutants: readonly Mutant[]): Count {
  const of = (wanted: string): number => mutants.filter(({ status }) => status === wanted).length;
  return {
    killed: of('Killed'),
    timeout: of('Timeout'),
    survived: of('Survived'),
    uncovered: of('NoCoverage'),
    ignored: of('Ignored'),
  };
}

function row(name: string, mutants: readonly Mutant[]): string {
  const { killed, timeout, survived, uncovered, ignored } = countOf(mutants);
  const detected = killed + timeout;
  const all = detected + survived + uncovered;
  const score = all === 0 ? '' : `${((100 * detected) / all).toFixed(1)} %`;
  return `| ${[name, killed, timeout, survived, uncovered, ignored, score].join(' | ')} |`;
}

/** The source text of a location, shortened to one line. */
function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= 90 ? line : `${line.slice(0, 89)}…`;
}

function textAt(source: string, { start, end }: Mutant['location']): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = lines[last]!.slice(0, end.column - 1);
  lines[0] = lines[0]!.slice(start.column - 1);
  return lines.join(' ');
}

/** A group in Markdown: its files with their scores, and each mutant that no test notices. */
export function resultOf(name: string, { files, framework }: MutationReport, now = new Date()): string {
  const sorted = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = [
    `# Mutation testing: ${name}`,
    '',
    `Written by \`npm run test:mutation\` on ${now.toISOString().slice(0, 10)}: StrykerJS ${framework.version}, Node ${process.version}.`,
    '',
    '| file | killed | timeout | survived | not covered | left out | score |',
    '|---|--:|--:|--:|--:|--:|--:|',
    ...sorted.map(([file, { mutants }]) => row(`\`${file}\``, mutants)),
    row(
      '**all**',
      sorted.flatMap(([, { mutants }]) => mutants),
    ),
    '',
  ];
  for (const [file, { source, mutants }] of sorted) {
    const place = ({ location }: Mutant): string => `\`${file}:${location.start.line}\``;
    for (const mutant of mutants) {
      const was = cut(textAt(source, mutant.location));
      if (mutant.status === 'Survived' || mutant.status === 'NoCoverage') {
        lines.push(`- ${place(mutant)}: \`\` ${was} \`\` → \`\` ${cut(mutant.replacement ?? '')} \`\``);
      } else if (mutant.status === 'Ignored') {
        lines.push(`- ${place(mutant)}: \`\` ${was} \`\` left out: ${mutant.statusReason}`);
      }
    }
  }
  return `${lines.join('\n').trimEnd()}\n`;
}
