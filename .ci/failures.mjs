// Prints each failed test of a JSON report of vitest: its file, its title and the beginning of its messages.
// Usage: node .ci/failures.mjs REPORT. An empty report, of a run that ended before its tests, prints nothing.
import { readFileSync } from 'node:fs';

const maxMessageLength = 2_000;
const { testResults = [] } = JSON.parse(readFileSync(process.argv[2], 'utf8') || '{}');
for (const { name, status, message, assertionResults } of testResults) {
  const failed = assertionResults.filter((test) => test.status === 'failed');
  for (const { fullName, failureMessages } of failed)
    console.log(`${name}: ${fullName}\n${failureMessages.join('\n').slice(0, maxMessageLength)}`);
  if (status === 'failed' && failed.length === 0)
    console.log(`${name}\n${message.slice(0, maxMessageLength)}`);
}
