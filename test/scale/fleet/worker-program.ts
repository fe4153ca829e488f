import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createClient,
  type IntentPart,
  type Journal,
  type OrgChatClient,
  OrgChatError,
  type SharedPacing,
} from '@orgchat/sdk';
import type { Outbox } from '../../../packages/fleet/src/postgres.ts';
import {
  monotonicMs,
  nameOf,
  numberOf,
  type Organization,
  organizationOf,
  organizations,
  type PlantedBug,
  rolledBackNameOf,
  type WorkerNote,
  type WorkerTask,
  wayOf,
} from './plan.ts';
import { openStores } from './worker-stores.ts';

/*
 * One of the workers, in a process of its own, which may be killed at any moment. Started again, it continues with what
 * its log does not say is done. It sends its own intents for all organizations, and what any worker has committed to their
 * outboxes.
 */
const task = JSON.parse(process.argv[2] ?? '{}') as WorkerTask;
const { worker, workers, intents, baseUrl, perWindow, log } = task;
const hasBug = (bug: PlantedBug): boolean => task.bugs.includes(bug);
/** How many intents a worker carries out at once. */
const lanes = 6;
/** How long it waits after a failure, in milliseconds. */
const pauseMs = 300;
const isFirstProcess = !existsSync(log);

const note = (line: WorkerNote): void => appendFileSync(log, `${JSON.stringify(line)}\n`);

/** Operations about which the journal does not have what their call knows: another process may send them. */
const unrecorded = new Set<string>();

async function watchWrite<T>(operationId: string, write: T | Promise<T>): Promise<T> {
  const isDone = await Promise.resolve(write).catch((error: unknown) => {
    unrecorded.add(operationId);
    throw error;
  });
  if (isDone === false) unrecorded.add(operationId);
  return isDone;
}

/** A journal that notices if a call takes its own entry for that of another, and what it could not record. */
function watchJournal(journal: Journal): Journal {
  return {
    ...journal,
    settle: (entry) => watchWrite(entry.operationId, journal.settle(entry)),
    remove: (key, token) => watchWrite(key.operationId, journal.remove(key, token)),
    async add(entry, options) {
      const isAdded = await watchWrite(entry.operationId, journal.add(entry, options));
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
      const { line, place } = request;
      try {
        const answer = await shared.reserve(request);
        const { state, askAgainMs } = answer;
        note({ type: 'asked', line, place, from, to: monotonicMs(), state, askAgainMs });
        return answer;
      } catch (error) {
        note({ type: 'asked', line, place, from, to: monotonicMs() });
        throw error;
      }
    },
  };
}

const { byEngine, openOutbox, inTransaction } = openStores(task);

interface Member {
  readonly client: OrgChatClient;
  readonly box: Outbox;
}
const members = new Map<Organization, Member>(
  organizations.map((organization) => {
    const { id, apiKey, engine } = organization;
    const { journal, pacing } = byEngine[engine];
    const client = createClient({
      ...{ apiKey, baseUrl, journal: watchJournal(journal) },
      // A call that takes its own entry for that of another call waits for it until its deadline.
      ...(hasBug('add-not-idempotent') && { timeoutMs: 3_000 }),
      pacing: { perMinute: perWindow, shared: watchPacing(pacing) },
    });
    return [organization, { client, box: openOutbox(id) }];
  }),
);
const memberOf = (intent: number): Member => members.get(organizationOf(intent)) as Member;

const create = (name: string) => ({ action: 'create-tags' as const, data: { name, color: 'pink' as const } });
/** The same in every organization. */
const toIntent = (intent: number): readonly IntentPart[] => ['soak', numberOf(intent)];

/** Commits an order and its change, or neither. The order says whether an earlier try was committed. */
async function commit({ box }: Member, intent: number): Promise<void> {
  if (numberOf(intent) % 20 === 5)
    await inTransaction('ROLLBACK', async (tx) => void (await box.add(tx, create(rolledBackNameOf(intent)))));
  await inTransaction('COMMIT', async (tx) => {
    const { rows } = await tx.query('INSERT INTO orders VALUES ($1) ON CONFLICT DO NOTHING RETURNING 1', [
      intent,
    ]);
    if (rows.length === 0) return;
    // Without an intent, nothing but the transaction says that it is the same change.
    const options = numberOf(intent) % 2 === 0 ? { intent: toIntent(intent) } : {};
    await box.add(tx, create(nameOf(intent)), options);
  });
}

async function call({ client }: Member, intent: number): Promise<void> {
  const isNew = hasBug('new-id-after-kill') && !isFirstProcess;
  const parts = isNew ? [...toIntent(intent), process.pid] : toIntent(intent);
  await client.tags.create(create(nameOf(intent)).data, { intent: parts });
  // The worst moment to die: the answer is here, and nothing says so yet. Every worker does so once.
  if (isFirstProcess && wayOf(intent) === 'call') process.kill(process.pid, 'SIGKILL');
}

function noteFailure(intent: number, error: unknown): void {
  const { code = String(error), outcome, operationId } = error as Partial<OrgChatError>;
  const isRecorded = operationId !== undefined && !unrecorded.has(operationId);
  note({ type: 'failed', intent, code, outcome, isRecorded });
}

async function carryOut(intent: number): Promise<void> {
  const way = wayOf(intent);
  const member = memberOf(intent);
  if (way === 'without an intent') {
    note({ type: 'began', intent });
    await member.client.tags.create(create(nameOf(intent)).data).then(
      () => note({ type: 'done', intent }),
      (error: unknown) => noteFailure(intent, error),
    );
    return;
  }
  for (;;) {
    try {
      await (way === 'outbox' ? commit : call)(member, intent);
      note({ type: 'done', intent });
      return;
    } catch (error) {
      noteFailure(intent, error);
      const isRefused = error instanceof OrgChatError && error.outcome === 'refused';
      if (isRefused && hasBug('refusal-as-done')) return note({ type: 'done', intent });
      await sleep(pauseMs);
    }
  }
}

/** What an earlier process of this worker has done. Without an intent, nothing is tried twice. */
function readDone(): ReadonlySet<number> {
  if (isFirstProcess) return new Set();
  const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1);
  return new Set(
    lines.flatMap((line) => {
      const entry = JSON.parse(line) as WorkerNote;
      return entry.type === 'done' || entry.type === 'began' ? [entry.intent] : [];
    }),
  );
}

function isMine(intent: number): boolean {
  const number = numberOf(intent);
  return (
    number % workers === worker || (wayOf(intent) === 'delivered twice' && (number + 1) % workers === worker)
  );
}
const done = readDone();
const left = Array.from({ length: intents }, (_, n) => n).filter((n) => isMine(n) && !done.has(n));

async function runLane(): Promise<void> {
  for (let next = left.shift(); next !== undefined; next = left.shift()) await carryOut(next);
}

/** The client with which the outbox of an organization is sent. */
function getSender(organization: Organization, own: OrgChatClient): OrgChatClient {
  if (!hasBug('relay-of-another')) return own;
  const other = organizations[(organizations.indexOf(organization) + 1) % organizations.length];
  const { client } = members.get(other as Organization) as Member;
  return { ...client, account: (async () => ({ organizationId: organization.id })) as never };
}

/** Sends what is committed, whatever happens to the engine. */
async function relay(organization: Organization, { client, box }: Member): Promise<never> {
  const sender = getSender(organization, client);
  for (;;) {
    await box.run(sender, { onError: () => undefined }).catch((error: unknown) => {
      note({ type: 'violation', what: `a relay ended: ${error}` });
    });
  }
}

for (const [organization, member] of members) {
  void relay(organization, member);
  // What an earlier process left, also one of another worker.
  member.client.operations.resumeAll().catch(() => undefined);
}
await Promise.all(Array.from({ length: lanes }, runLane));
note({ type: 'finished' });
