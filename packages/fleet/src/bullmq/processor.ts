import type { ChangeOutcome, OrgChatClient } from '@orgchat/sdk';
import { endWaitsOnly } from '@orgchat/sdk/internal';
import { DelayedError, type Job, type Queue, RateLimitError, UnrecoverableError } from 'bullmq';
import { FleetError } from '../fleet-error.ts';
import { requireKnown } from '../options.ts';
import { backoffDelay } from '../sending/backoff.ts';
import { isUnsentAbort } from '../sending/classify-error.ts';
import { requireClient } from '../sending/client-organization.ts';
import { type ClientLookup, type FoundClient, findClient } from './find-client.ts';
import { decideJob, retryAdvice } from './job-decision.ts';
import { createOrganizationWaits } from './organization-waits.ts';
import { isKeywordAddition, isQueuedWork, type JobData } from './queued-work.ts';

/**
 * Options of `createProcessor`.
 *
 * @example
 * const options: ProcessorOptions = { queue };
 * new Worker('orgchat', createProcessor(client, options), { connection });
 */
export interface ProcessorOptions {
  /** The queue of the worker. With a single client, it waits for the server after a 429. */
  readonly queue: Queue;
  /**
   * Ends the waits of jobs, such as in line for the limit: they go back to the queue at once, and use up no attempt.
   * Requests that are on their way finish. Abort it before `worker.close()`, which waits for the jobs of the worker.
   */
  readonly signal?: AbortSignal | undefined;
}

/** What a job returns: the outcome of its change, or the result of its keywords. */
export type JobResult =
  | ChangeOutcome
  | {
      readonly operationId: string;
      readonly applied: true;
      readonly added: readonly string[];
      readonly skipped: readonly string[];
    };

/** How long a job without a client waits at most, in milliseconds: another worker may have one, and takes it at random. */
const longestClientWaitMs = 30_000;
/** The shortest time that a queue or a job waits, in milliseconds. BullMQ ignores 0. */
const shortestMs = 100;
/** The longest time that an organization waits without a request, in milliseconds: somebody may raise its quota. */
const longestWaitMs = 3_600_000;

/**
 * Creates the processor of a worker of BullMQ, for jobs of `enqueue()`. Each attempt has the same operationId. `clients` is
 * one client, or a function that returns the client of an organization. A client needs a journal that outlives its
 * process, such as `redisJournal()`.
 *
 * - No client for the organization of the job, a client whose API key is of another organization, or `account()` fails:
 *   nothing is sent. The job is delayed, and uses up no attempt. A process warning says so once per organization.
 * - Outcome unknown, 5xx, or a reason that nobody knows: the job is tried again with its backoff, and the change is applied
 *   once.
 * - 429, a used-up quota, or the key refused: the work of this organization waits, uses up no attempt, and a process warning
 *   says so once. After a 429 the whole queue waits, unless `clients` is a function.
 * - In progress in another worker, journal or pacing down: the job is delayed, and uses up no attempt.
 * - The address of the API is gone (410): the job fails. Retry it with a client of another base URL.
 * - Refused for what it is (the meaning `invalidInput`, `notFound` or `staleRevision`), or the server knows its intent with
 *   other work: the job fails with `UnrecoverableError`, as do keywords with an unknown outcome. Its reason says what to do.
 *
 * @example
 * const worker = new Worker('orgchat', createProcessor(client, { queue }), { connection, maxStalledCount: 10 });
 * @example
 * const clients = new Map([['org_demo', client]]);
 * const processor = createProcessor((organization) => clients.get(organization), { queue });
 */
export function createProcessor(
  clients: OrgChatClient | ClientLookup,
  options: ProcessorOptions,
): (job: Job, token?: string) => Promise<JobResult> {
  const getClient = typeof clients === 'function' ? clients : createLookup(clients);
  requireKnown(options, ['queue', 'signal'], 'createProcessor()');
  const { queue, signal } = options;
  if (typeof queue?.rateLimit !== 'function')
    throw invalid(
      'createProcessor() requires { queue }: the BullMQ Queue (5.28 or later) that its jobs come from.',
    );

  const waits = createOrganizationWaits(signal);

  async function send(
    client: OrgChatClient,
    { operationId, organization, work }: JobData,
  ): Promise<JobResult> {
    // What another process has in progress, and what a limit stops, is delayed: the worker takes the next job.
    const ending = endWaitsOnly(waits.signal(organization), { inDoubt: true, atLimit: true });
    const options = { operationId, waitForOther: false, ...ending };
    if (!isKeywordAddition(work)) return client.changeChat(work, options);
    const { siteId, ...input } = work;
    return { operationId, applied: true, ...(await client.addKeywords(siteId, input, options)) };
  }

  async function delay(job: Job, delayMs: number, token?: string): Promise<never> {
    await job.moveToDelayed(Date.now() + Math.max(delayMs, shortestMs), token);
    throw new DelayedError();
  }

  /** Delays a job that nothing can be sent for now, or fails it if that does not pass. */
  async function waitForClient(
    { code, message, delayMs }: Exclude<FoundClient, { client: OrgChatClient }>,
    job: Job,
    organization: string,
    token?: string,
  ): Promise<never> {
    if (code === 'ADDRESS_GONE') {
      const text = `${message} ${retryAdvice}`;
      await writeLog(job, text);
      throw new UnrecoverableError(text);
    }
    const text = `${message} The jobs of this organization wait, and use up no attempt.`;
    waits.report(organization, { code, message: text });
    await writeLog(job, text);
    const usual = Math.min(backoffDelay(job.attemptsStarted), longestClientWaitMs);
    return delay(job, Math.max(usual, delayMs), token);
  }

  /** Ends an attempt that failed, as BullMQ asks for it: by an error of its own. */
  async function rejectAttempt(error: unknown, job: Job, { organization, work }: JobData, token?: string) {
    // The organization waits, or this process stops.
    if (isUnsentAbort(error)) return delay(job, waits.find(organization)?.restMs ?? 0, token);
    const site = isKeywordAddition(work) ? work.siteId : undefined;
    const countRefusal = () => waits.countRefusal(organization);
    const decision = decideJob(error, { site, countRefusal });
    const text = `${error instanceof Error ? error.message : String(error)} ${decision.advice}`;
    await writeLog(job, text);
    switch (decision.kind) {
      case 'wait': {
        const { code, delayMs } = decision;
        const message = `Organization "${organization}": ${text}`;
        waits.begin(organization, Math.min(delayMs, longestWaitMs), { code, message });
        // With several clients, another organization has a limit of its own.
        if (code !== 'RATE_LIMITED' || typeof clients === 'function') return delay(job, delayMs, token);
        await queue.rateLimit(Math.max(delayMs, shortestMs));
        throw new RateLimitError();
      }
      case 'delay':
        return delay(job, decision.delayMs, token);
      case 'fail':
        throw Object.assign(new UnrecoverableError(text), { cause: error });
      case 'retry': {
        const isLast = job.attemptsMade + 1 >= (job.opts.attempts ?? 1);
        const more = isLast ? ' No attempts are left: retry this job when the server answers again.' : '';
        throw new Error(`${text}${more}`, { cause: error });
      }
    }
  }

  return async (job, token) => {
    const { operationId, organization, work } = Object(job.data) as Partial<JobData>;
    if (typeof operationId !== 'string' || typeof organization !== 'string' || !isQueuedWork(work))
      throw new UnrecoverableError(
        'This job was not added by enqueue() of @orgchat/fleet/bullmq. Add it with enqueue().',
      );
    if (signal?.aborted) return delay(job, 0, token);
    const wait = waits.find(organization);
    if (wait) {
      await writeLog(job, wait.reason.message);
      return delay(job, wait.restMs, token);
    }
    const found = await findClient(getClient, organization, signal);
    if (signal?.aborted) return delay(job, 0, token);
    if (found.client === undefined) return waitForClient(found, job, organization, token);
    const data = { operationId, organization, work };
    const sentAt = performance.now();
    try {
      const result = await send(found.client, data);
      waits.succeed(organization, sentAt);
      return result;
    } catch (error) {
      return rejectAttempt(error, job, data, token);
    }
  };
}

function createLookup(client: OrgChatClient): ClientLookup {
  requireClient(client, 'createProcessor()');
  return () => client;
}

/** Writes what a person reads in the job. A log that fails must not change its state. */
async function writeLog(job: Job, text: string): Promise<void> {
  await job.log(`${new Date().toISOString()} ${text}`).catch(() => undefined);
}

const invalid = (message: string): FleetError => new FleetError(message, { code: 'INVALID_OPTIONS' });
