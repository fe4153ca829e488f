import { isObject } from '@orgchat/spec/is-object';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { Context } from '../../context.ts';
import { escapeLine } from '../../output/escape.ts';
import type { Row } from '../../output/output.ts';
import { writeOut } from '../../output/streams.ts';
import type { EventBody } from '../control-client.ts';
import { isFailed, listReasons, toRequestLine } from './request-lines.ts';
import type { Page, RequestPrinting } from './request-page.ts';

/** The part of the control API that following needs. */
interface ControlCalls {
  call(method: string, path: string): Promise<unknown>;
  openEvents(lastEventId: string | undefined, signal: AbortSignal): Promise<EventBody>;
}

/** Until the mock says how long to wait before connecting again. */
const defaultRetryMs = 1000;

/**
 * Prints requests as they arrive, until the command is interrupted or `limit` requests were printed: JSON lines, or one
 * line per request for people. If the connection breaks, it continues after the last event. Events that the mock no longer
 * has are reported on stderr. Throws if the mock cannot be reached again.
 */
export async function followRequests(
  context: Context,
  control: ControlCalls,
  page: Page & RequestPrinting,
): Promise<void> {
  const { signal } = context.interrupt;
  const follower = new Follower(context, control, page);
  while (!signal.aborted && !follower.isDone) {
    try {
      await follower.read(signal);
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
    if (!follower.isDone) await waitFor(follower.retryMs, signal);
  }
}

class Follower {
  readonly #context: Context;
  readonly #control: ControlCalls;
  readonly #printing: RequestPrinting;
  #after: number;
  #left: number;
  #lastEventId: string | undefined;
  /** The requests that were listed before the stream had them. */
  #listed = new Set<unknown>();
  retryMs = defaultRetryMs;

  constructor(
    context: Context,
    control: ControlCalls,
    { after = 0, limit = Number.POSITIVE_INFINITY, ...printing }: Page & RequestPrinting,
  ) {
    this.#context = context;
    this.#control = control;
    this.#printing = printing;
    this.#after = after;
    this.#left = limit;
  }

  /** Whether enough requests were printed. */
  get isDone(): boolean {
    return this.#left <= 0;
  }

  /** Reads one stream to its end. */
  async read(signal: AbortSignal): Promise<void> {
    const isNew = this.#lastEventId === undefined;
    const body = await this.#control.openEvents(this.#lastEventId, signal);
    // A request that arrives now is in the list, in the stream, or in both.
    if (isNew) await this.#printList();
    const onRetry = (retryMs: number): void => {
      this.retryMs = retryMs;
    };
    const messages = body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream({ onRetry }));
    const reader = messages.getReader();
    while (!this.isDone) {
      const { done, value } = await reader.read().catch(endIfBroken(signal));
      if (done) return;
      await this.#receive(value.event, JSON.parse(value.data) as unknown);
      this.#lastEventId = value.id;
    }
    await reader.cancel();
  }

  async #printList(): Promise<void> {
    const answer = await this.#control.call('GET', `/requests?after=${this.#after}`);
    const rows = isObject(answer) && Array.isArray(answer.requests) ? (answer.requests as Row[]) : [];
    this.#listed = new Set(rows.map(({ id }) => id));
    for (const row of rows) await this.#print(row);
  }

  async #receive(event: string | undefined, data: unknown): Promise<void> {
    if (!isObject(data)) return;
    if (event === 'gap') this.#context.output.warn(describeGap(data.lost));
    if (event === 'request' && !this.#listed.has(data.id)) await this.#print(data);
  }

  async #print(row: Row): Promise<void> {
    if (this.isDone || (this.#printing.failed && !isFailed(row))) return;
    this.#left--;
    this.#after = Math.max(this.#after, Number(row.id));
    await printRequest(this.#context, row, this.#printing);
  }
}

/** A connection that breaks is the end of a stream; the next one continues. */
const endIfBroken = (signal: AbortSignal) => (): { done: true; value: undefined } => {
  signal.throwIfAborted();
  return { done: true, value: undefined };
};

const describeGap = (lost: unknown): string =>
  typeof lost === 'number'
    ? `The mock dropped ${lost} events before they were read. Requests may be missing here.`
    : 'The mock was restarted. Requests may be missing here.';

/** Prints a request: a JSON line, or one or two lines for people. */
async function printRequest({ output }: Context, row: Row, { why }: RequestPrinting): Promise<void> {
  if (!output.isView) return output.line(row);
  await writeOut(`${toRequestLine(row)}\n`);
  for (const reason of why || isFailed(row) ? listReasons(row) : [])
    await writeOut(`    ${escapeLine(reason)}\n`);
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    signal.addEventListener('abort', wake);
  });
}
