import { AbortedError, ConnectionError, DeadlineError, ServerError } from '../errors/no-usable-answer.ts';
import { createInvalidInputError, RateLimitError } from '../errors/refused.ts';
import type { CallOptions } from '../options/options.ts';
import type { ChatApi } from '../pipeline/chat-api.ts';
import type { ApiResponse } from '../results/call-promise.ts';
import { createUndescribedError } from '../shapes/shape-errors.ts';
import { createDeadline } from '../timing/deadline.ts';
import type { Account } from '../types.ts';
import { type OpenCursor, useCursor } from './cursor.ts';
import { describeShortInterval, getDefaultInterval, toBudget } from './round-interval.ts';
import { type ResolvedWatch, resolveWatch, type WatchEvent } from './watch-options.ts';
import { createRoundReader, type RoundResult } from './watch-round.ts';
import { createState, parseState, serializeState, type WatchState } from './watch-state.ts';

/** What a watch needs of its client. */
export interface WatchApi extends Pick<ChatApi, 'read' | 'shapes'> {
  account(options: CallOptions): Promise<ApiResponse<Account>>;
  /** Requests per minute of the pacing; may be infinite. */
  readonly perMinute: number;
}

/** How long what is known of the quota is used, in milliseconds. */
const budgetMs = 24 * 3_600_000;
/** The shortest time that is promised to a cursor, in milliseconds: to read a round may take longer than the interval. */
const renewMs = 60_000;
/**
 * The longest time that is promised to a cursor, in milliseconds. A longer wait saves again in between: if this machine is
 * lost, another watcher gets the cursor soon after.
 */
const longestPromiseMs = 3_600_000;

/**
 * Reads the arguments of a watch, and returns what starts it. What cannot be used throws there, before anything is sent: an
 * iteration can only reject where it begins.
 */
export function prepareWatch(
  ...given: Parameters<typeof resolveWatch>
): (api: WatchApi) => AsyncGenerator<WatchEvent> {
  try {
    const watch = resolveWatch(...given);
    return (api) => watchRecords(api, watch);
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** Watches records until the signal is aborted, the consumer ends the iteration, or an error cannot heal. */
async function* watchRecords(api: WatchApi, watch: ResolvedWatch): AsyncGenerator<WatchEvent> {
  requireNewestFirstLists(api, watch);
  const open = await useCursor(() => watch.cursor.open());
  try {
    yield* watchWith(api, watch, open);
  } finally {
    // What was handled is saved. A cursor that cannot be given back is free when this process ends.
    await useCursor(() => open.close()).catch(() => undefined);
  }
}

async function* watchWith(api: WatchApi, watch: ResolvedWatch, open: OpenCursor): AsyncGenerator<WatchEvent> {
  const { signal, everyMs, onWarning } = watch;
  const deadline = createDeadline(Infinity, signal);
  const account = await api.account({ signal });
  const state = openState(open.stored, account.data.organizationId);
  let budget = toBudget(account, api.perMinute);
  let budgetUntil = performance.now() + budgetMs;
  let hasWarned = false;
  let intervalMs = everyMs ?? getDefaultInterval(budget, 1);
  let heardAt = state.heardAt;
  let promisedUntil = performance.now() + renewMs;
  const save = async (pauseMs = 0): Promise<void> => {
    const nextMs = Math.min(Math.max(pauseMs, intervalMs, renewMs), longestPromiseMs);
    await useCursor(() => open.save(serializeState(state, heardAt), nextMs));
    promisedUntil = performance.now() + nextMs;
  };
  const read: WatchApi['read'] = async (query, options) => {
    if (performance.now() >= promisedUntil) await save();
    return api.read(query, options);
  };
  const rounds = createRoundReader({ shapes: api.shapes, read }, watch);

  async function readRound(): Promise<RoundResult> {
    if (performance.now() > budgetUntil) {
      budget = toBudget(await api.account({ signal }), api.perMinute);
      budgetUntil = performance.now() + budgetMs;
    }
    const round = await rounds.read(state);
    heardAt = round.heardAt;
    const requests = rounds.countRequests();
    const warning = everyMs && !hasWarned && describeShortInterval(budget, requests, everyMs);
    if (warning) onWarning(warning);
    hasWarned ||= Boolean(warning);
    intervalMs = everyMs ?? getDefaultInterval(budget, requests);
    return round;
  }

  for (let isFirst = true; ; ) {
    const startedAt = performance.now();
    let pauseMs = 0;
    try {
      const { deliveries, finish } = await readRound();
      for (const { event, settle } of deliveries) {
        await save();
        checkSignal(signal);
        yield event;
        settle();
      }
      finish();
      await save();
      isFirst = false;
    } catch (error) {
      // In the first round, an option may be wrong. Later, the server or the network has an outage.
      if (isFirst || !canHeal(error)) throw error;
      pauseMs = error.retryAt ? error.retryAt.getTime() - Date.now() : 0;
      await save(pauseMs);
    }
    let rest = Math.max(pauseMs, startedAt + intervalMs - performance.now());
    for (;;) {
      await deadline.sleep(Math.min(rest, longestPromiseMs));
      checkSignal(signal);
      rest -= longestPromiseMs;
      if (rest <= 0) break;
      await save(rest);
    }
  }
}

/** Returns what the cursor has, or the state of a watch that begins. */
function openState(stored: string | undefined, organizationId: string): WatchState {
  const state = stored === undefined ? createState(organizationId) : parseState(stored);
  if (state.organizationId === organizationId) return state;
  throw createInvalidInputError(
    `The cursor belongs to the organization ${state.organizationId}, and the key to ${organizationId}. Use another cursor.`,
  );
}

/** Whether the same request may succeed later. */
const canHeal = (error: unknown): error is ServerError | ConnectionError | DeadlineError | RateLimitError =>
  (error instanceof ServerError && error.code !== 'UNEXPECTED_SHAPE') ||
  error instanceof ConnectionError ||
  error instanceof DeadlineError ||
  error instanceof RateLimitError;

function checkSignal(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  throw new AbortedError('The signal aborted the watch. The cursor has what was handled.', {
    code: 'ABORTED',
    cause: signal.reason,
  });
}

/** Refuses lists of which the description of the server says that they do not begin with the newest record. */
function requireNewestFirstLists(
  { shapes }: WatchApi,
  { messages, submissions, clicks }: ResolvedWatch,
): void {
  const resources = [
    ...(messages ? ['conversations', 'messages'] : []),
    ...(submissions.length > 0 ? ['form-submissions'] : []),
    ...(clicks.length > 0 ? ['link-clicks'] : []),
  ];
  const other = resources.find((resource) => !shapes.isNewestFirst(resource));
  if (other === undefined) return;
  const why = `The description of the server says that the list of ${other} does not begin with the newest record. watch() needs lists that do. Nothing was sent.`;
  throw createUndescribedError(other, {}, why, 'shapes.list.order');
}
