import type { ChangeOutcome, OrgChatClient } from '@orgchat/sdk';
import { DelayedError, type Job, type Queue, RateLimitError, UnrecoverableError } from 'bullmq';
import { FleetError } from '../fleet-error.ts';
import { requireKnown } from '../options.ts';
import { decideJob } from './job-decision.ts';
import { isKeywordAddition, isQueuedWork, type JobData, type QueuedWork } from './queued-work.ts';

/**
 * Options of `createProcessor`.
 *
 * @example
 * const options: ProcessorOptions = { queue };
 * new Worker('orgchat', createProcessor(client, options), { connection });
 */
export interface ProcessorOptions {
  /** The queue of the worker, which waits for the server after a 429. */
  readonly queue: Queue;
}

/**
 * What a job returns: the outcome of its change, or the result of its keywords.
 *
 * @example
 * const show = (value: JobResult) => ('added' in value ? value.added : value.result);
 */
export type JobResult =
  | ChangeOutcome
  | {
      readonly operationId: string;
      readonly applied: true;
      readonly added: readonly string[];
      readonly skipped: readonly string[];
    };

/** The shortest time that a queue waits, in milliseconds. BullMQ ignores 0. */
const shortestLimitMs = 100;

/**
 * Creates the processor of a worker of BullMQ, for jobs of `enqueue()`. Each attempt has the same operationId. `client`
 * needs a journal that outlives its process, such as `redisJournal()`.
 *
 * - Outcome unknown, 5xx: the job is tried again with its backoff, and the change is applied once.
 * - 429: the whole queue waits. A used-up quota: the job is delayed until `retryAt`.
 * - In progress in another worker, journal or pacing down: the job is delayed, and uses up no attempt.
 * - Refused: the job fails with `UnrecoverableError`, as do keywords with an unknown outcome. Its reason says what to do.
 *
 * @example
 * const worker = new Worker('orgchat', createProcessor(client, { queue }), { connection, maxStalledCount: 10 });
 */
export function createProcessor(
  client: OrgChatClient,
  options: ProcessorOptions,
): (job: Job, token?: string) => Promise<JobResult> {
  if (typeof client?.changeChat !== 'function')
    throw invalid('createProcessor() requires an @orgchat/sdk client.');
  requireKnown(options, ['queue'], 'createProcessor()');
  const { queue } = options;
  if (typeof queue?.rateLimit !== 'function')
    throw invalid(
      'createProcessor() requires { queue }: the BullMQ Queue (5.28 or later) that its jobs come from.',
    );

  async function send(operationId: string, work: QueuedWork): Promise<JobResult> {
    if (!isKeywordAddition(work)) return client.changeChat(work, { operationId });
    const { siteId, ...input } = work;
    return { operationId, applied: true, ...(await client.addKeywords(siteId, input, { operationId })) };
  }

  /** Ends an attempt that failed, as BullMQ asks for it: by an error of its own. */
  async function rejectAttempt(
    error: unknown,
    job: Job,
    site: string | undefined,
    token?: string,
  ): Promise<never> {
    const decision = decideJob(error, site);
    const text = `${error instanceof Error ? error.message : String(error)} ${decision.advice}`;
    // What a person reads in the job; a log that fails must not change its state.
    await job.log(`${new Date().toISOString()} ${text}`).catch(() => undefined);
    switch (decision.kind) {
      case 'fail':
        throw Object.assign(new UnrecoverableError(text), { cause: error });
      case 'limit':
        await queue.rateLimit(Math.max(decision.delayMs, shortestLimitMs));
        throw new RateLimitError();
      case 'delay':
        await job.moveToDelayed(Date.now() + decision.delayMs, token);
        throw new DelayedError();
      case 'retry': {
        const isLast = job.attemptsMade + 1 >= (job.opts.attempts ?? 1);
        const more = isLast ? ' No attempts are left: retry this job when the server answers again.' : '';
        throw new Error(`${text}${more}`, { cause: error });
      }
    }
  }

  return async (job, token) => {
    const { operationId, work } = Object(job.data) as Partial<JobData>;
    if (typeof operationId !== 'string' || !isQueuedWork(work))
      throw new UnrecoverableError(
        'This job was not added by enqueue() of @orgchat/fleet/bullmq. Add it with enqueue().',
      );
    try {
      return await send(operationId, work);
    } catch (error) {
      return rejectAttempt(error, job, isKeywordAddition(work) ? work.siteId : undefined, token);
    }
  };
}

const invalid = (message: string): FleetError => new FleetError(message, { code: 'INVALID_OPTIONS' });
