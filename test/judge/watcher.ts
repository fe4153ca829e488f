import { channel } from 'node:diagnostics_channel';
import { appendFileSync, openSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { AnswerMessage } from '@orgchat/mock-server';
import { isBeside, problemOf, type Rules } from './judge.ts';
import { type Mark, marks, suffixes, type Violation, violationChannel } from './records.ts';

const violations = channel(violationChannel);

/** What this process runs. */
function program(): string {
  const [, script = 'node'] = process.argv;
  return /[\\/]vitest[\\/]dist[\\/]workers[\\/]/.test(script) ? 'vitest' : basename(script);
}

/**
 * Judges what it is given, one answer at a time, and records it in a directory: a byte for each answer that was
 * judged, a line for each violation. Both are written at once, because a server may be killed in the next moment.
 */
export function watcher(rules: Rules, directory: string): (answer: AnswerMessage) => void {
  const file = join(directory, `${program().replace(/[^\w.]/g, '_')}-${process.pid}`);
  const marked = openSync(file + suffixes.marks, 'a');
  return (answer) => {
    if (isBeside(answer)) return;
    const { method, path, sandboxId, status, fault, body } = answer;
    const mark: Mark = fault === 'undeclared' ? 'excepted' : 'judged';
    writeSync(marked, marks[mark]);
    const why = problemOf(rules, answer);
    if (why === undefined) return;
    const violation: Violation = {
      program: program(),
      method,
      path,
      sandboxId,
      status,
      why,
      body: body.slice(0, 2_000),
    };
    appendFileSync(file + suffixes.violations, `${JSON.stringify(violation)}\n`);
    violations.publish(violation);
  };
}
