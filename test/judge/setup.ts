import { subscribe } from 'node:diagnostics_channel';
import { afterAll, afterEach } from 'vitest';
import { describeViolation, type Violation, violationChannel } from './records.ts';

/* A test in whose process an answer broke the document has failed, whatever it expected. */
const unsaid: string[] = [];
subscribe(violationChannel, (violation) => {
  unsaid.push(describeViolation(violation as Violation));
});

function complain(): void {
  const said = unsaid.splice(0);
  if (said.length > 0) throw new Error(`The document does not allow:\n${said.join('\n')}`);
}

afterEach(complain);
// What a hook or a late answer broke is of no single test.
afterAll(complain);
