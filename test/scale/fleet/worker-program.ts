import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type Journal, OrgChatError, type SharedPacing } from '@orgchat/sdk';
import {
  monotonicMs,
  nameOf,
  rolledBackNameOf,
  type WorkerNote,
  type WorkerTask,
  wayOf,
} from './messages.ts';
import { openStores, type WorkerOutbox } from './worker-stores.ts';

/*
 * One of the workers, in a process of its own, which may be killed at any moment. Started again, it continues with what
 * its log does not say is done. It sends its own intents, and what any worker has committed to the outbox.
 */
const task = JSON.parse(process.argv[2] ?? '{}') as WorkerTask;
const { worker, workers, intents, baseUrl, perWindow, log } = task;
/** How many intents a worker carries out at once. */
const lanes = 6;
/** How long it waits after a failure, in milliseconds. */
const pauseMs = 300;

const note = (line: WorkerNote): void => appendFileSync(log, `${JSON.stringify(line)}\n`);

/** A journal that notices if a call takes its own entry for that of another. */
function watchJournal(journal: Journal): Journal {
  return {
    ...journal,
    async add(entry, options) {
      const isAdded = await journal.add(entry, options);
      if (!isAdded && (await journal.get(entry))?.token === entry.token)
        note({
          type: 'violation',
          what: `a call took its own entry ${entry.operationId} for that of another call`,
        });
      return isAdded;
    },
  };
}

/** A pacing that notes every question and its answer. */
function watchPacing(shared: SharedPacing): SharedPacing {
  return {
    ...shared,
    async reserve(request) {
      const from = monotonicMs();
      const { place } = request;
      try {
        const answer = await shared.reserve(request);
        const { state, askAgainMs } = answer;
        note({ type: 'asked', place, from, to: monotonicMs(), state, askAgainMs });
        return answer;
      } catch (error) {
        note({ type: 'asked', place, from, to: monotonicMs() });
        throw error;
      }
    },
  };
}

const { journal, pacing, outbox } = openStores(task);
const client = createClient({
  apiKey: 'demo-write-key',
  baseUrl,
  journal: watchJournal(journal),
  pacing: { perMinute: perWindow, shared: watchPacing(pacing) },
});
const create = (name: string) => ({ action: 'create-tags' as const, data: { name, color: 'pink' as const } });

/** Commits an order and its change, or neither. The order says whether an earlier try was committed. */
async function commit({ box, inTransaction }: WorkerOutbox, intent: number): Promise<void> {
  if (intent % 20 === 5)
    await inTransaction('ROLLBACK', async (tx) => void (await box.add(tx, create(rolledBackNameOf(intent)))));
  await inTransaction('COMMIT', async (tx) => {
    const { rows } = await tx.query('INSERT INTO orders VALUES ($1) ON CONFLICT DO NOTHING RETURNING 1', [
      intent,
    ]);
    // Without an intent: nothing but the transaction says that it is the same change.
    if (rows.length === 1) await box.add(tx, create(nameOf(intent)));
  });
}

const describe = (error: unknown): string =>
  error instanceof OrgChatError ? error.code : ((error as { code?: string }).code ?? String(error));

async function carryOut(intent: number): Promise<void> {
  const way = wayOf(intent);
  if (way === 'without an intent') {
    note({ type: 'began', intent });
    await client.tags.create(create(nameOf(intent)).data).then(
      () => note({ type: 'done', intent }),
      (error: unknown) => note({ type: 'failed', intent, code: describe(error) }),
    );
    return;
  }
  for (;;) {
    try {
      if (way === 'outbox' && outbox) await commit(outbox, intent);
      else await client.tags.create(create(nameOf(intent)).data, { intent: ['soak', intent] });
      note({ type: 'done', intent });
      return;
    } catch (error) {
      note({ type: 'failed', intent, code: describe(error) });
      await sleep(pauseMs);
    }
  }
}

/** What an earlier process of this worker has done. Without an intent, nothing is tried twice. */
function readDone(): ReadonlySet<number> {
  if (!existsSync(log)) return new Set();
  const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1);
  return new Set(
    lines.flatMap((line) => {
      const entry = JSON.parse(line) as WorkerNote;
      return entry.type === 'done' || entry.type === 'began' ? [entry.intent] : [];
    }),
  );
}

const isMine = (intent: number): boolean =>
  intent % workers === worker || (wayOf(intent) === 'delivered twice' && (intent + 1) % workers === worker);
const done = readDone();
const left = Array.from({ length: intents }, (_, n) => n).filter((n) => isMine(n) && !done.has(n));

async function runLane(): Promise<void> {
  for (let next = left.shift(); next !== undefined; next = left.shift()) await carryOut(next);
}

/** Sends what is committed, whatever happens to the engine. */
async function relay({ box }: WorkerOutbox): Promise<never> {
  for (;;) {
    await box.run(client, { onError: () => undefined }).catch((error: unknown) => {
      note({ type: 'violation', what: `a relay ended: ${error}` });
    });
  }
}

if (outbox) void relay(outbox);
// What an earlier process left, also one of another worker.
client.operations.resumeAll().catch(() => undefined);
await Promise.all(Array.from({ length: lanes }, runLane));
note({ type: 'finished' });
