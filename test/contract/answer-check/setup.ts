import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, afterEach } from 'vitest';
import { describeViolation, type Violation, violationChannel } from './records.ts';

/* Fails a test if an answer in its process violated the document. */
const unreported: string[] = [];
const listener = (violation: unknown): void => {
  unreported.push(describeViolation(violation as Violation));
};
subscribe(violationChannel, listener);
// The process runs other files next, so unsubscribe. The hook registered first runs last.
afterAll(() => void unsubscribe(violationChannel, listener));

function throwViolations(): void {
  const said = unreported.splice(0);
  if (said.length > 0) throw new Error(`The document does not allow:\n${said.join('\n')}`);
}

afterEach(throwViolations);
// Violations in hooks or late answers belong to no single test.
afterAll(throwViolations);
