import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnswerMessage } from '@orgchat/mock-server';

/** An answer that the document does not allow. */
export interface Violation extends Pick<AnswerMessage, 'method' | 'path' | 'sandboxId' | 'status' | 'body'> {
  /** What the process runs that gave it. */
  readonly program: string;
  /** What is wrong with it. */
  readonly why: string;
}

/** Where a process hears of the violations in itself. */
export const violationChannel = 'orgchat.judge.violation';

export const suffixes = { marks: '.answers', violations: '.violations' } as const;

/** What stands for an answer: held to the document alone, or let off a status that a fault was armed to give. */
export const marks = { judged: '.', excepted: 'x' } as const;
export type Mark = keyof typeof marks;

export interface Records extends Record<Mark, number> {
  /** How many processes of each program gave how many answers. */
  readonly programs: Readonly<Record<string, { processes: number; answers: number }>>;
  readonly violations: readonly Violation[];
}

/** What all processes recorded in a directory. */
export function readRecords(directory: string): Records {
  const counts = { judged: 0, excepted: 0 };
  const programs: Record<string, { processes: number; answers: number }> = {};
  const violations: Violation[] = [];
  for (const name of readdirSync(directory)) {
    const text = (): string => readFileSync(join(directory, name), 'utf8');
    if (name.endsWith(suffixes.violations)) {
      violations.push(
        ...text()
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Violation),
      );
    } else if (name.endsWith(suffixes.marks)) {
      const all = text();
      const excepted = all.split(marks.excepted).length - 1;
      counts.excepted += excepted;
      counts.judged += all.length - excepted;
      programs[programOf(name)] ??= { processes: 0, answers: 0 };
      const program = programs[programOf(name)];
      if (program === undefined) continue;
      program.processes++;
      program.answers += all.length;
    }
  }
  return { ...counts, programs, violations };
}

const programOf = (file: string): string => file.slice(0, file.lastIndexOf('-'));

export function describeViolation({
  program,
  method,
  path,
  sandboxId,
  status,
  why,
  body,
}: Violation): string {
  const where = sandboxId === null ? '' : ` of ${sandboxId}`;
  return `${method ?? 'no HTTP'} ${path ?? ''}${where} → ${status}, by ${program}: ${why}\n  ${body}`;
}

/** How many answers were judged, and where. */
export function describeRecords({ judged, excepted, programs }: Records): string {
  const count = (n: number): string => n.toLocaleString('en');
  const list = Object.entries(programs)
    .sort(([, a], [, b]) => b.answers - a.answers)
    .map(
      ([name, { processes, answers }]) =>
        `${count(answers)} by ${name} (${processes} ${processes === 1 ? 'process' : 'processes'})`,
    );
  return `${count(judged)} answers judged by spec/openapi.yaml, ${count(excepted)} more with a status that a fault was told to give: ${list.join(', ')}`;
}
