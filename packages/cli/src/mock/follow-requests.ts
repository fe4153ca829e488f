import { isObject } from '@orgchat/spec/is-object';
import type { Context } from '../context.ts';
import { escapeLine } from '../output/escape.ts';
import type { Row } from '../output/output.ts';
import { writeData, writeOut } from '../output/streams.ts';
import { type Page, toPageQuery } from './request-page.ts';

/** The part of the control API that following needs. */
interface ControlCalls {
  call(method: string, path: string): Promise<unknown>;
}

const pollMs = 250;

/**
 * Prints requests as they arrive, until the command is interrupted or `limit` requests were printed: JSON lines, or one
 * line per request for people. Requests that the log dropped before they were read are reported on stderr.
 */
export async function followRequests(context: Context, control: ControlCalls, page: Page): Promise<void> {
  const { signal } = context.interrupt;
  let { after = 0, limit = Number.POSITIVE_INFINITY } = page;
  const lost = new LostCount();
  while (!signal.aborted && limit > 0) {
    const answer = await control.call('GET', `/requests${toPageQuery({ after })}`);
    const { requests, dropped } = readAnswer(answer);
    const unseen = lost.update(dropped, requests.length);
    if (unseen > 0) context.output.warn(`The request log dropped ${unseen} requests before they were read.`);
    for (const row of requests.slice(0, limit)) {
      await print(context, row);
      after = Number(row.id);
    }
    limit -= requests.length;
    if (limit > 0) await waitFor(pollMs, signal);
  }
}

function readAnswer(answer: unknown): { readonly requests: readonly Row[]; readonly dropped: number } {
  const { requests, dropped } = isObject(answer) ? answer : {};
  const entries = isObject(dropped) ? dropped.entries : 0;
  return {
    requests: Array.isArray(requests) ? (requests as Row[]) : [],
    dropped: typeof entries === 'number' ? entries : 0,
  };
}

/** Counts requests that were dropped before they were read. Those dropped before the first answer do not count. */
export class LostCount {
  /** Number of requests that were read, or reported as lost. Undefined before the first answer. */
  #known: number | undefined;
  #dropped = 0;

  /** The number of lost requests since the last update. `dropped` is the total of the log, which a reset clears. */
  update(dropped: number, received: number): number {
    if (this.#known === undefined || dropped < this.#dropped) this.#known = dropped;
    const lost = Math.max(0, dropped - this.#known);
    this.#known += lost + received;
    this.#dropped = dropped;
    return lost;
  }
}

async function print({ output }: Context, row: Row): Promise<void> {
  if (output.format !== 'table') {
    await writeData(`${JSON.stringify(row)}\n`, 'json');
    return;
  }
  const { receivedAt, id, action, operation, path, key, status, error, applied, replayOf, faults } = row;
  const parts = [
    id,
    String(receivedAt).slice(11, 23),
    action ?? operation ?? path,
    key ?? 'no key',
    status ?? 'no answer',
    error,
    applied === true ? 'applied' : undefined,
    typeof replayOf === 'string' ? `replay of ${replayOf}` : undefined,
    Array.isArray(faults) ? faults.join(' ') : undefined,
  ];
  const line = parts.filter((part) => part !== undefined && part !== null && part !== '').join('  ');
  await writeOut(`${escapeLine(line)}\n`);
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
