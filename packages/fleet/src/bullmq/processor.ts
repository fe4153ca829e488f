import type { ChangeOutcome, OrgChatClient } from '@orgchat/sdk';
import { DelayedError, type Job, type Queue, RateLimitError, UnrecoverableError } from 'bullmq';
import { FleetError } from '../fleet-error.ts';
import { requireKnown, warnProcess } from '../options.ts';
import { backoffDelay } from '../sending/backoff.ts';
import { requireClient } from '../sending/client-organization.ts';
import { type ClientLookup, type FoundClient, findClient } from './find-client.ts';
import { decideJob } from './job-decision.ts';
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
/** The shortest time that a queue waits, in milliseconds. BullMQ ignores 0. */
const shortestLimitMs = 100;

/**
 * Creates the processor of a worker of BullMQ, for jobs of `enqueue()`. Each attempt has the same operationId. `clients` is
 * one client, or a function that returns the client of an organization. A client needs a journal that outlives its
 * process, such as `redisJournal()`.
 *
 * - No client for the organization of the job, a client whose API key is of another organization, or `account()` fails:
 *   nothing is sent. The job is delayed, and uses up no attempt. A process warning says so once per organization.
 * - Outcome unknown, 5xx, or a reason that nobody knows: the job is tried again with its backoff, and the change is applied
 *   once.
 * - 429: the whole queue waits; the job alone if `clients` is a function. A used-up quota: the job is delayed until `retryAt`.
 * - In progress in another worker, journal or pacing down, the key refused: the job is delayed, and uses up no attempt.
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
  requireKnown(options, ['queue'], 'createProcessor()');
  const { queue } = options;
  if (typeof queue?.rateLimit !== 'function')
    throw invalid(
      'createProcessor() requires { queue }: the BullMQ Queue (5.28 or later) that its jobs come from.',
    );

  /** Why the jobs of organizations wait, as it was reported last. */
  const reported = new Map<string, string>();

  async function send(client: OrgChatClient, { operationId, work }: JobData): Promise<JobResult> {
    // A job whose operation another process has in progress is delayed, and the worker takes the next one.
    const options = { operationId, waitForOther: false };
    if (!isKeywordAddition(work)) return client.changeChat(work, options);
    const { siteId, ...input } = work;
    return { operationId, applied: true, ...(await client.addKeywords(siteId, input, options)) };
  }

  /** Reports once why the jobs of an organization wait, until one of them is done. */
  function report(organization: string, code: string, message: string): void {
    if (reported.get(organization) !== code) warnProcess({ code, message });
    reported.set(organization, code);
  }

  async function delay(job: Job, delayMs: number, token?: string): Promise<never> {
    await job.moveToDelayed(Date.now() + delayMs, token);
    throw new DelayedError();
  }

  /** Delays a job that nothing can be sent for now. */
  async function waitForClient(
    { code, message, delayMs }: Exclude<FoundClient, { client: OrgChatClient }>,
    job: Job,
    organization: string,
    token?: string,
  ): Promise<never> {
    const text = `${message} The jobs of this organization wait, and use up no attempt.`;
    report(organization, code, text);
    await writeLog(job, text);
    const usual = Math.min(backoffDelay(job.attemptsStarted), longestClientWaitMs);
    return delay(job, Math.max(usual, delayMs), token);
  }

  /** Ends an attempt that failed, as BullMQ asks for it: by an error of its own. */
  async function rejectAttempt(error: unknown, job: Job, { organization, work }: JobData, token?: string) {
    const site = isKeywordAddition(work) ? work.siteId : undefined;
    const decision = decideJob(error, { site, starts: job.attemptsStarted });
    const text = `${error instanceof Error ? error.message : String(error)} ${decision.advice}`;
    await writeLog(job, text);
    switch (decision.kind) {
      case 'fail':
        throw Object.assign(new UnrecoverableError(text), { cause: error });
      case 'limit':
        // Another organization has a limit of its own.
        if (typeof clients === 'function') return delay(job, decision.delayMs, token);
        await queue.rateLimit(Math.max(decision.delayMs, shortestLimitMs));
        throw new RateLimitError();
      case 'delay':
        if (decision.warning !== undefined)
          report(organization, decision.warning, `Organization "${organization}": ${text}`);
        return delay(job, decision.delayMs, token);
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
    const found = await findClient(getClient, organization);
    if (found.client === undefined) return waitForClient(found, job, organization, token);
    const data = { operationId, organization, work };
    try {
      const result = await send(found.client, data);
      reported.delete(organization);
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
