import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { request as open } from 'node:http';
import { join } from 'node:path';
import { text as read } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/* A client of the drill's tests: right in some way, or wrong in the one way that its argument names. */

const [, , mode = 'right'] = process.argv;
const { ORGCHAT_BASE_URL: url, ORGCHAT_API_KEY: key, ORGCHAT_STATE_DIR: state = '.' } = process.env;
const timeoutMs = Number(process.env.ATTEMPT_TIMEOUT) * 1000;
const maxAttempts = 100;
const waitMs = 50;
const ownId = randomUUID();

interface Answer {
  /** Undefined if no whole answer came. */
  readonly status?: number;
  readonly body: {
    readonly error?: string;
    readonly applied?: boolean;
    readonly replayed?: boolean;
    readonly records?: readonly { readonly name: string }[];
  };
  readonly waitMs: number;
}

let lastRequest: Promise<unknown> = Promise.resolve();

async function post(path: string, body: object): Promise<Answer> {
  if (mode === 'own-pacing') {
    lastRequest = lastRequest.then(() => sleep(100));
    await lastRequest;
  }
  // Node loads `fetch` in 30 ms more, and each row starts a process or two.
  const options = { method: 'POST', headers: { Authorization: `Bearer ${key}` } };
  return new Promise((resolve) => {
    const lost = (): void => resolve({ body: {}, waitMs: 0 });
    const sent = open(`${url}${path}`, options, (response) => {
      const wait = Number(response.headers['retry-after'] ?? 0) * 1000;
      read(response)
        .then((json) => ({ status: response.statusCode ?? 0, body: JSON.parse(json), waitMs: wait }))
        .then(resolve, lost);
    });
    sent.once('error', lost);
    sent.setTimeout(timeoutMs, () => sent.destroy());
    sent.end(JSON.stringify(body));
  });
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

/** A UUID that follows from the intent: the same in every process. */
function toId(intent: string): string {
  const text = mode === 'forgets-id-at-kill' ? `${intent} ${ownId}` : intent;
  const hex = createHash('sha1').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

async function exists(name: string): Promise<boolean> {
  for (;;) {
    const { status, body } = await post('/chat/read', { resource: 'tags', limit: 50 });
    if (status === 200) return body.records?.some((tag) => tag.name === name) === true;
  }
}

const retried = ['OPERATION_UNCERTAIN', 'RUNTIME_UNAVAILABLE', 'RATE_LIMITED', 'INTERNAL_ERROR'];

async function createTag(intent: string, name: string): Promise<void> {
  const change = { action: 'create-tags', data: { name, color: 'pink' } };
  const request = { operationId: toId(intent), change };
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    if (mode === 'reconciles' && (await exists(name))) return;
    const { status, body, waitMs: asked } = await post('/chat/changes', request);
    if (status === 200) {
      if (body.applied || body.replayed || mode === 'ignores-applied') return;
      if (mode !== 'reconciles') fail('not applied');
    } else if (status === 404 && mode === 'drops-after-404') return;
    else if (status !== undefined && !retried.includes(body.error ?? '')) fail(`${status} ${body.error}`);
    await sleep(asked || waitMs);
  }
  fail('unknown');
}

async function addKeywords(): Promise<void> {
  const mark = join(state, 'keywords');
  if (existsSync(mark)) {
    if (readFileSync(mark, 'utf8') === 'done') return;
    fail('keywords unknown');
  }
  writeFileSync(mark, 'sent');
  for (;;) {
    const { status, waitMs: asked } = await post('/sites/demo-site/keywords', {
      keywords: ['spring', 'summer'],
    });
    if (status === 201) return writeFileSync(mark, 'done');
    if (status !== 429 && !(status === 500 && mode === 'keywords-again-after-500')) fail('keywords unknown');
    await sleep(asked || waitMs);
  }
}

/** The names are chosen once and kept. */
async function createRandomTags(): Promise<void> {
  const plan = join(state, 'plan.json');
  if (!existsSync(plan))
    writeFileSync(
      plan,
      JSON.stringify(['spring', 'summer'].map((kind) => `${randomUUID().slice(0, 8)} ${kind}`)),
    );
  for (const name of JSON.parse(readFileSync(plan, 'utf8')) as string[]) await createTag(`tag ${name}`, name);
}

if (mode === 'random-names') await createRandomTags();
else if (mode === 'parallel')
  await Promise.all([0, 1].map((number) => createTag(`tag ${number}`, `Parallel ${number}`)));
else {
  if (!mode.startsWith('keywords')) await createTag('tag A', 'A');
  if (mode.startsWith('keywords') || mode === 'right') await addKeywords();
}
