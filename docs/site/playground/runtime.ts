import type { BrowserMock } from '@orgchat/mock-server/browser';
import { formatValue } from './format-value.ts';
import { mocks } from './mocks.ts';

/* What runs the code of the playground, in its worker. What it prints and what the mocks received goes to the page. */

/** A line of the request log. */
export interface SeenRequest {
  /** What it did: created, replayed, refused … */
  readonly effect: string;
  /** The name of the record that it is about, if there is one. */
  readonly record: string | null;
  readonly call: string;
  /** The status and the code of an error, or that no answer came. */
  readonly ending: string;
  readonly isProblem: boolean;
  readonly isApplied: boolean;
  readonly because: string;
  /** The clause, or the decision, that the request ended by. */
  readonly rule: string | null;
}

export type Report =
  | { readonly kind: 'line'; readonly text: string; readonly isError: boolean }
  | { readonly kind: 'end'; readonly requests: readonly SeenRequest[]; readonly total: number };

/** An endless loop that prints would fill the page. */
const most = { lines: 500, characters: 100_000 };
/** As many of the newest requests are shown. */
const maxRequests = 100;

interface WorkerScope {
  postMessage(value: Report): void;
  addEventListener(type: 'unhandledrejection', listener: (event: { readonly reason: unknown }) => void): void;
}

const scope = globalThis as unknown as WorkerScope;

const post = (text: string, isError: boolean): void => scope.postMessage({ kind: 'line', text, isError });

const left = { ...most };
let isFull = false;

function print(text: string, isError: boolean): void {
  if (isFull) return;
  isFull = left.lines === 0 || text.length > left.characters;
  if (left.lines > 0) post(text.slice(0, left.characters), isError);
  left.lines--;
  left.characters -= text.length;
  if (isFull)
    post(`The rest is not shown: ${most.lines} lines or ${most.characters} characters are printed.`, true);
}

for (const name of ['log', 'info', 'debug', 'warn', 'error'] as const)
  console[name] = (...values: unknown[]) =>
    print(values.map((value) => formatValue(value)).join(' '), name === 'error');

scope.addEventListener('unhandledrejection', ({ reason }) => print(formatValue(reason), true));

/** A UUID by its first digits, which distinguish it from the others on the page. */
const shorten = (text: string): string =>
  text.replaceAll(/\b([\da-f]{8})(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi, '$1…');

type Entry = ReturnType<BrowserMock['requests']['list']>[number];

const verbs: Readonly<Record<string, string>> = { create: 'Created', update: 'Updated', delete: 'Deleted' };

/** What a request did, in a word or two. */
function toEffect({ action, operation, answered, error, applied, replayOf }: Entry): string {
  const [kind = ''] = (action ?? '').split('-');
  if (!answered) return applied ? `${verbs[kind] ?? 'Applied'}, answer lost` : 'Not applied, no answer';
  if (error !== null) return 'Refused';
  if (replayOf !== null) return 'Replayed';
  if (applied) return verbs[kind] ?? 'Applied';
  return operation === null || action !== null ? 'Answered' : 'Read';
}

/** The requests of a mock, which name each other by their numbers on the page. */
function listSeen(entries: readonly Entry[], before: number): SeenRequest[] {
  const numbers = new Map(entries.map(({ requestId }, index) => [requestId, before + index + 1]));
  const name = (id: string): string => (numbers.has(id) ? `request ${numbers.get(id)}` : id);
  return entries.map((entry) => {
    const { method, path, action, status, error, answered, recordName, decidedBy } = entry;
    const ending = [status, error].filter((part) => part !== null);
    return {
      effect: toEffect(entry),
      record: recordName,
      call: [method, path, action].filter((part) => part !== null).join(' '),
      ending: answered ? ending.join(' ') : 'no answer',
      isProblem: !answered || error !== null,
      isApplied: entry.applied,
      because: shorten(decidedBy.because).replaceAll(/\breq-\d+\b/g, name),
      rule: decidedBy.clause ?? decidedBy.decision ?? null,
    };
  });
}

/** Runs the code, and reports its end. */
export async function run(code: () => Promise<void>): Promise<void> {
  try {
    await code();
  } catch (error) {
    // Also if the output is full.
    post(formatValue(error), true);
  }
  const requests: SeenRequest[] = [];
  for (const mock of mocks) requests.push(...listSeen(mock.requests.list(), requests.length));
  scope.postMessage({
    kind: 'end',
    requests: requests.slice(-maxRequests),
    total: requests.length,
  });
}
