import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnswerMessage } from '@orgchat/mock-server';

/** An answer that the document does not allow. */
export interface Violation extends Pick<AnswerMessage, 'method' | 'path' | 'sandboxId' | 'status' | 'body'> {
  /** The program that gave it. */
  readonly program: string;
  /** What is wrong with it. */
  readonly why: string;
}

/** Diagnostics channel for the violations in this process. */
export const violationChannel = 'orgchat.answer-check.violation';

export const suffixes = { marks: '.answers', violations: '.violations' } as const;

/** The byte recorded per answer: fully checked, or with a status that a fault set. */
export const marks = { checked: '.', excepted: 'x' } as const;
export type Mark = keyof typeof marks;

export interface Records extends Record<Mark, number> {
  /** Processes and answers by program. */
  readonly programs: Readonly<Record<string, { processes: number; answers: number }>>;
  readonly violations: readonly Violation[];
}

/** Reads what all processes recorded in a folder. */
export function readRecords(directory: string): Records {
  const counts = { checked: 0, excepted: 0 };
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
      counts.checked += all.length - excepted;
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

/** Reports how many answers were checked, by program. */
export function describeRecords({ checked, excepted, programs }: Records): string {
  const count = (n: number): string => n.toLocaleString('en');
  const list = Object.entries(programs)
    .sort(([, a], [, b]) => b.answers - a.answers)
    .map(
      ([name, { processes, answers }]) =>
        `${count(answers)} by ${name} (${processes} ${processes === 1 ? 'process' : 'processes'})`,
    );
  return `${count(checked)} answers checked against the OpenAPI documents, ${count(excepted)} with a status that a fault set: ${list.join(', ')}`;
}
