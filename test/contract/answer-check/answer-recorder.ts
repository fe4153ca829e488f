import { channel } from 'node:diagnostics_channel';
import { appendFileSync, openSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { AnswerMessage } from '@orgchat/mock-server';
import { checkAnswer, checkControlAnswer, isControl, isOutsideContract, type Rules } from './check-answer.ts';
import { type Mark, marks, suffixes, type Violation, violationChannel } from './records.ts';

const violations = channel(violationChannel);

/** Name of the program in this process. */
function program(): string {
  const [, script = 'node'] = process.argv;
  return /[\\/]vitest[\\/]dist[\\/]workers[\\/]/.test(script) ? 'vitest' : basename(script);
}

/**
 * Checks one answer at a time and records the result in a folder: one byte per answer, one line per violation.
 * Both are written synchronously, because a server may be killed at any moment.
 */
export function createAnswerRecorder(
  rules: Rules,
  controlRules: Rules,
  directory: string,
): (answer: AnswerMessage) => void {
  const file = join(directory, `${program().replace(/[^\w.]/g, '_')}-${process.pid}`);
  const marked = openSync(file + suffixes.marks, 'a');
  return (answer) => {
    if (isOutsideContract(answer)) return;
    const { method, path, sandboxId, status, fault, body } = answer;
    const mark: Mark = fault === 'undeclared' ? 'excepted' : 'checked';
    writeSync(marked, marks[mark]);
    const why = isControl(answer) ? checkControlAnswer(controlRules, answer) : checkAnswer(rules, answer);
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
