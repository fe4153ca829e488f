/*
 * A cron job: creates the tag for the orders of the day, once per day, however often it runs.
 *
 *   15 0 * * *  cd /srv/shop && node job.js || mail -s 'job failed' ops@shop.example
 *
 * The journal is a folder on the disk of this machine. In a Kubernetes CronJob it must be on a volume. With it, the
 * next run finishes what a killed run left, also if that was the work of an earlier day.
 *
 * Exit codes: 0 done · 75 not known or not possible now, run it again · 1 refused, a person must look.
 */
import {
  ConnectionError,
  createClient,
  DeadlineError,
  OutcomeUnknownError,
  RateLimitError,
} from '@orgchat/sdk';
import { fileJournal } from '@orgchat/sdk/node';

const client = createClient({ journal: fileJournal(process.env.JOURNAL_DIR) });

for (const { operationId, state } of await client.operations.resumeAll({ wait: true })) {
  console.log(`Operation ${operationId} of an earlier run: ${state}`);
}

// The day in UTC, wherever the machine is. `node job.js 2026-11-22` makes up for a day that was missed.
const [day = new Date().toISOString().slice(0, 10)] = process.argv.slice(2);
try {
  // The day is the intent, so a second run on the same day changes nothing.
  await client.tags.create({ name: `Orders of ${day}`, color: 'green' }, { intent: ['tag for orders', day] });
  console.log(`Tag "Orders of ${day}" exists.`);
} catch (error) {
  const transient = [OutcomeUnknownError, ConnectionError, DeadlineError, RateLimitError];
  process.exitCode = transient.some((kind) => error instanceof kind) ? 75 : 1;
  console.error(error instanceof Error ? `${error.name}: ${error.message}` : error);
}
