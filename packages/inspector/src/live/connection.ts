import { signal } from '@preact/signals';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { ControlCallError, needsToken, sendControl, toError } from '../control-api/client.ts';
import { token } from '../control-api/token.ts';
import { type Change, publishChange, publishResync } from './changes.ts';

/** `lost` means that the page tries again by itself. */
export type ConnectionState = 'connecting' | 'live' | 'lost';

export const connection = signal<ConnectionState>('connecting');
/** Why the mock refused the stream; undefined if it does not answer at all. */
export const refusal = signal<string | undefined>(undefined);

/** The waits before the next attempts to connect again. */
const delaysMs = [500, 1000, 2000, 4000] as const;

let lastEventId: string | undefined;
let failures = 0;
let stream: AbortController | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Starts to receive changes, and continues until the page is closed. */
export function startLive(): void {
  // Browsers open six connections per origin for all tabs together, so a hidden tab gives its own back.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) disconnect();
    else connect();
  });
  token.subscribe(() => connect());
}

/** Connects now, also if a wait is in progress. */
export function connect(): void {
  disconnect();
  const controller = new AbortController();
  stream = controller;
  receive(controller.signal).catch((error: unknown) => {
    if (controller.signal.aborted) return;
    refusal.value =
      error instanceof ControlCallError && error.status !== undefined ? error.message : undefined;
    retryLater();
  });
}

function disconnect(): void {
  clearTimeout(timer);
  stream?.abort();
  stream = undefined;
}

function retryLater(): void {
  stream = undefined;
  // Without a token, trying again cannot help. The form for the token connects.
  if (needsToken.value) return;
  connection.value = 'lost';
  timer = setTimeout(connect, delaysMs[Math.min(failures, delaysMs.length - 1)]);
  failures++;
}

function welcome(): void {
  failures = 0;
  connection.value = 'live';
}

async function receive(signal: AbortSignal): Promise<void> {
  const isContinued = lastEventId !== undefined;
  const response = await sendControl('GET', 'events', {
    signal,
    headers: lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId },
  });
  if (!response.ok || response.body === null) throw await toError(response);
  welcome();
  if (!isContinued) publishResync();
  // `EventSource` cannot send a token.
  const events = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  const reader = events.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error('The stream ended.');
    lastEventId = value.id;
    const change = { name: value.event, data: JSON.parse(value.data) } as Change;
    publishChange(change);
    if (isResync(change)) publishResync();
  }
}

/** Whether events cannot say what changed, because it may be everything. */
function isResync({ name, data }: Change): boolean {
  if (name === 'gap') return true;
  const { action } = data as { action?: string };
  return name === 'sandbox' && (action === 'reset' || action === 'replaced' || action === 'rewound');
}
