import {
  createClient,
  type Journal,
  NotFoundError,
  type OperationEntry,
  OrgChatError,
  OutcomeUnknownError,
  type Reconciliation,
  StaleRevisionError,
} from '@orgchat/sdk';
import { fileJournal } from '@orgchat/sdk/node';
import type { Answer, ClientOrders, Question, Report } from './messages.ts';
import { attemptTimeoutMs, type ClientPhase, type Intent, type ServerPhase, siteId } from './plan.ts';
import { journalAfterSend, newIdOnRetry } from './planted-bugs.ts';

/*
 * A program that uses the SDK as documented: it records changes in a file journal, resumes unfinished ones when it
 * starts, and reconciles unknown outcomes. It kills itself at the phases that its plan names.
 */

const orders = JSON.parse(process.argv[2] ?? '{}') as ClientOrders;
const controlUrl = orders.baseUrl.replace('/api/v1', '/_mock');
const { apiKey } = orders;
const struck = new Set(orders.struck);
const waiting = new Map<number, (answer: Answer) => void>();
let questions = 0;

function ask(question: Question): Promise<Answer> {
  const number = ++questions;
  process.send?.({ number, ...question });
  return new Promise((resolve) => waiting.set(number, resolve));
}
process.on('message', (answer: Answer) => {
  waiting.get(answer.to)?.(answer);
  waiting.delete(answer.to);
});
process.on('disconnect', () => process.exit());

/** Which process is killed during the current intent, and when. */
let doom: { readonly at: ClientPhase; readonly server?: number } | undefined;

function die(phase: ClientPhase): void {
  if (doom?.at !== phase) return;
  try {
    if (doom.server !== undefined) process.kill(doom.server, 'SIGKILL');
  } catch {
    // The server is already dead.
  }
  process.kill(process.pid, 'SIGKILL');
}

function dying(journal: Journal): Journal {
  return {
    ...journal,
    add: async (entry) => {
      const added = await journal.add(entry);
      die('recorded');
      return added;
    },
    settle: async (entry) => {
      const isRecorded = await journal.settle(entry);
      die('settled');
      return isRecorded;
    },
  };
}

async function dyingFetch(request: Request): Promise<Response> {
  const response = globalThis.fetch(request);
  // By then the request was sent. Whether the server received it is random.
  if (doom?.at === 'sent') setTimeout(() => die('sent'), 1);
  const answered = await response;
  die('answered');
  return answered;
}

const kept = fileJournal(orders.journal);
const client = createClient({
  apiKey,
  baseUrl: orders.baseUrl,
  journal: dying(orders.bug === 'journal-after-send' ? journalAfterSend(kept) : kept),
  fetch: orders.bug === 'new-id-on-retry' ? newIdOnRetry(dyingFetch) : dyingFetch,
  pacing: false,
  timeoutMs: 20_000,
  attemptTimeoutMs,
  retry: { maxAttempts: 4, baseDelayMs: 1, maxDelayMs: 10 },
});

const reports = new Map<string, Report>();

async function report(label: string, outcome: Report['outcome'], verdict?: Report['verdict']): Promise<void> {
  reports.set(label, { label, outcome, ...(verdict && { verdict }) });
  if (outcome === 'applied') await ask({ ask: 'applied', label });
}

/** Arms the hazard of an intent. The returned function disarms what remains. */
async function endanger({ label, hazard }: Intent): Promise<() => Promise<void>> {
  const nothing = async (): Promise<void> => {};
  if (hazard === undefined || struck.has(label)) return nothing;
  struck.add(label);
  if ('fault' in hazard) {
    await ask({ ask: 'server' });
    const body = JSON.stringify({ ...hazard.fault, key: apiKey });
    const armed = await control<{ id: string }>('POST', '/faults', body);
    return async () => void (armed && (await control('DELETE', `/faults/${armed.id}`)));
  }
  const at = hazard.at;
  const server = hazard.kill === 'server' ? { server: at as ServerPhase } : {};
  const { pid } = await ask({ ask: 'hazard', label, ...server });
  if (hazard.kill !== 'server')
    doom = { at: at as ClientPhase, ...(hazard.kill === 'both' && { server: pid }) };
  return nothing;
}

/**
 * A call of the control API. Undefined if the server died during the call, or if it restarted and no longer has the
 * fault.
 */
async function control<T>(method: string, path: string, body?: string): Promise<T | undefined> {
  try {
    const response = await globalThis.fetch(`${controlUrl}${path}`, {
      method,
      ...(body !== undefined && { body }),
    });
    if (response.status === 404 && path.startsWith('/faults/')) return undefined;
    if (!response.ok) throw new OrgChatError(`${path}: ${await response.text()}`, { code: 'CONTROL' });
    return (await response.json()) as T;
  } catch (error) {
    if (error instanceof OrgChatError) throw error;
    return undefined;
  }
}

async function send({ label, kind, target, named }: Intent): Promise<Report['outcome']> {
  const options = named ? { intent: ['simulation', label] } : {};
  if (kind === 'keyword') {
    const { added } = await client.keywords.add(siteId, { keywords: [label] }, options);
    return added.includes(label) ? 'applied' : 'doubled';
  }
  await change({ label, kind, target }, options);
  return 'applied';
}

async function change(
  { label, kind, target }: Pick<Intent, 'label' | 'kind' | 'target'>,
  options: { intent?: string[] },
): Promise<unknown> {
  if (kind === 'create') return client.tags.create({ name: label, color: 'blue' }, options);
  if (kind === 'refused') {
    const data = { name: label, url: 'https://example.com', tagId: nowhere, scenarioId: null };
    return client.links.create(data, options);
  }
  const record = await client.templates.get(target);
  if (kind === 'delete') return client.templates.delete(record, options);
  return client.templates.update(record, { name: 'Target', text: label }, options);
}

const nowhere = 'ffffffff-0000-4000-8000-000000000000';

/** Runs an intent. Repeats it if it was certainly not applied; leaves an unknown outcome for later. */
async function pursue(intent: Intent): Promise<void> {
  for (let round = 0; round < 50; round++) {
    try {
      return await report(intent.label, await send(intent));
    } catch (error) {
      if (error instanceof OutcomeUnknownError) return await leave(intent, error);
      if (error instanceof NotFoundError || error instanceof StaleRevisionError) {
        return await report(intent.label, 'refused');
      }
      if (!(error instanceof OrgChatError)) throw error;
      // Another process is running the same intent.
      if (error.code === 'OPERATION_IN_FLIGHT') round--;
      await ask({ ask: 'server' });
    }
  }
  throw new Error(`${intent.label} came to no end`);
}

async function leave({ label, resumes }: Intent, error: OutcomeUnknownError): Promise<void> {
  await report(label, 'unknown');
  // A keyword write is never sent again, so it cannot be resumed.
  if (!resumes || error.resume === undefined) return;
  try {
    await error.resume();
    await report(label, 'applied');
  } catch (again) {
    if (!(again instanceof OrgChatError)) throw again;
    if (!(again instanceof OutcomeUnknownError)) await afterwards();
  }
}

/** The intent of an operation in the journal. */
function findIntent({ kind, change, body }: OperationEntry): Intent | undefined {
  const [keyword] = kind === 'keywords' ? (JSON.parse(body) as { keywords: string[] }).keywords : [];
  if (keyword !== undefined) return orders.intents.find(({ label }) => label === keyword);
  const { action, id, data } = change as unknown as { action: string; id?: string; data?: { name: string } };
  return orders.intents.find(({ label, target }) =>
    action.startsWith('create-') ? label === data?.name : target === id,
  );
}

/** Reads the operations of each intent from the journal: the applied one first, then the open one. */
async function afterwards(): Promise<Set<string>> {
  const known = new Set<string>();
  const rank = { abandoned: 0, refused: 1, pending: 2, unknown: 3, applied: 4 };
  const entries = [...(await client.operations.list())].sort((a, b) => rank[a.state] - rank[b.state]);
  for (const entry of entries) {
    const { state, error } = entry;
    const intent = findIntent(entry);
    if (intent === undefined) continue;
    const { label } = intent;
    if (state === 'applied') await report(label, 'applied');
    else if (state === 'unknown' || state === 'pending') await report(label, 'unknown');
    else if (error?.status === 404 || error?.status === 409) await report(label, 'refused');
    else continue;
    known.add(label);
  }
  return known;
}

/** Waits until no change of any client is in progress: only then are the records final. */
async function quiet(): Promise<void> {
  for (;;) {
    await ask({ ask: 'server' });
    const known = await control<{ operations: { state: string }[] }>('GET', '/operations');
    if (known?.operations.every(({ state }) => state !== 'running')) return;
  }
}

/** Resumes until only operations are open that the server itself does not know, and reconciles those. */
async function reconcile(): Promise<void> {
  await quiet();
  for (let round = 0; round < 12; round++) {
    await ask({ ask: 'server' });
    // The timeout is long enough for a slow machine.
    const outcomes = await client.operations.resumeAll({
      ...{ attemptTimeoutMs: 20_000, timeoutMs: 60_000, now: true },
    });
    const open = outcomes.filter(({ state }) => state !== 'applied' && state !== 'refused');
    if (open.every(({ kind }) => kind === 'keywords')) break;
  }
  // Other clients may be resuming the same operations.
  await ask({ ask: 'all' });
  await quiet();
  await afterwards();
  for (const entry of await client.operations.list()) {
    const { operationId, state } = entry;
    const intent = findIntent(entry);
    if (intent === undefined || (state !== 'unknown' && state !== 'pending')) continue;
    const found = await asked(() => client.operations.reconcile(operationId));
    await report(intent.label, 'unknown', await concluded(intent, found));
  }
}

/** What the records prove. Each record is changed by one intent and by nobody else. */
async function concluded({ kind, label }: Intent, found: Reconciliation): Promise<Report['verdict']> {
  if (found.evidence === 'matches') return 'applied';
  // Nobody changes or deletes what was created.
  if (found.evidence === 'differs' && kind === 'create') return 'not-applied';
  if (found.evidence !== 'not-readable') return found.verdict;
  // Keywords can be read only in the app.
  const path = `/sites/${siteId}/keywords`;
  const site = await asked(() => control<{ keywords: { keyword: string }[] }>('GET', path));
  return site?.keywords.some(({ keyword }) => keyword === label) ? 'applied' : 'not-applied';
}

/** Repeats a call until a server answers it. */
async function asked<T>(question: () => Promise<T>): Promise<T> {
  for (let round = 0; ; round++) {
    try {
      return await question();
    } catch (error) {
      if (!(error instanceof OrgChatError) || round > 50) throw error;
      await ask({ ask: 'server' });
    }
  }
}

await ask({ ask: 'server' });
await client.operations.resumeAll();
const known = await afterwards();
for (const intent of orders.intents) {
  // A derived operationId may be used again after any outcome; a random one only if the change was not applied.
  const again = intent.named && intent.kind !== 'update' && intent.kind !== 'delete';
  if (known.has(intent.label) && !again) continue;
  const disarm = await endanger(intent);
  await pursue(intent);
  await disarm();
  doom = undefined;
}
await reconcile();
await ask({ ask: 'report', reports: [...reports.values()] });
process.exit();
