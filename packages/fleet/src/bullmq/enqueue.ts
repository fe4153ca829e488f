import { type IntentPart, operationIdFrom } from '@orgchat/sdk';
import { canonicalJson } from '@orgchat/sdk/internal';
import type { Job, JobsOptions, Queue } from 'bullmq';
import { FleetError } from '../fleet-error.ts';
import { requireKnown } from '../options.ts';
import { requireOrganization } from '../sending/client-organization.ts';
import { isKeywordAddition, isQueuedWork, type JobData, type QueuedWork } from './queued-work.ts';

/** Options of BullMQ by which it adds no job, or one under another id. Some versions have only some of them. */
const ofIdentity = ['jobId', 'repeat', 'repeatJobKey', 'prevMillis', 'deduplication', 'debounce'] as const;

/**
 * Options of `enqueue`.
 *
 * @example
 * const urgent: EnqueueOptions = { organization: 'org_demo', intent: ['order', 17], job: { priority: 1 } };
 * await enqueue(queue, { action: 'create-tags', data: { name: 'VIP', color: 'pink' } }, urgent);
 */
export interface EnqueueOptions {
  /** The organization that the work is for: `organizationId` of `account()`. */
  readonly organization: string;
  /**
   * What the work is for, such as the id of an order. The same intent is the same operation, and in one organization the
   * same job.
   */
  readonly intent?: readonly IntentPart[] | undefined;
  /**
   * Options of the job, such as `delay` or `priority`; not those that repeat it or replace it with another one. Its id is
   * made of organization and operationId. Default: 12 attempts, first after a second and then after twice the time, which are 34 minutes; the last 100 lines of its log stay.
   * A job that is done is removed after a week, or after 10,000 later ones. One that failed stays.
   */
  readonly job?: Omit<JobsOptions, (typeof ofIdentity)[number]> | undefined;
}

/** The result of `enqueue`. */
export interface Enqueued {
  readonly operationId: string;
  /** The job, which an earlier call with this intent may have added. */
  readonly job: Job;
}

const weekSeconds = 7 * 24 * 3_600;

/** What is done has a bound, or its Redis would be full one day. What failed waits for a person. */
const defaults: JobsOptions = {
  attempts: 12,
  backoff: { type: 'exponential', delay: 1_000 },
  keepLogs: 100,
  removeOnComplete: { age: weekSeconds, count: 10_000 },
  removeOnFail: false,
};

/** BullMQ accepts no colon in an id. An id of an operation has no period, so the two parts are always told apart. */
const createJobId = (organization: string, operationId: string): string =>
  `${encodeURIComponent(organization)}.${operationId}`;

/**
 * Adds a change or keywords to a BullMQ queue. Its operationId is decided here, so if the worker dies, the
 * change is applied once. With an `intent`, work of this organization that waits already is not added again. A job of this
 * intent that failed is returned as it is: `job.retry()` tries it again.
 *
 * Rejects with `INPUT_CONFLICT` if the queue has a job of this intent with other work, and with `INVALID_OPTIONS`.
 *
 * @example
 * const vip = { action: 'create-tags', data: { name: 'VIP', color: 'pink' } } as const;
 * await enqueue(queue, vip, { organization: 'org_demo', intent: ['order', 17] });
 */
export async function enqueue(queue: Queue, given: QueuedWork, options: EnqueueOptions): Promise<Enqueued> {
  if (typeof queue?.add !== 'function' || typeof queue.getJob !== 'function')
    throw invalid('enqueue() requires a BullMQ Queue.');
  if (!isQueuedWork(given))
    throw invalid(
      'enqueue() requires a change (an object with an action, as changeChat() accepts it) or { siteId, keywords }.',
    );
  const organization = requireOrganization(Object(options).organization, 'enqueue()');
  requireKnown(options, ['organization', 'intent', 'job'], 'enqueue()');
  const { intent, job = {} } = options;
  // As the queue stores it: the caller may use its object again.
  const work: QueuedWork = JSON.parse(JSON.stringify(given));
  const ownId = ofIdentity.find(
    (option) => (job as JobsOptions & Record<string, unknown>)[option] !== undefined,
  );
  if (ownId !== undefined)
    throw invalid(
      `job.${ownId} cannot be set: a job is one operation, and its id is made of organization and operation. Use intent.`,
    );
  // An automatic id of BullMQ begins at 1 again in an emptied Redis, and would name an earlier operation.
  const operationId = intent === undefined ? crypto.randomUUID() : await operationIdFrom(...intent);
  const data: JobData = { operationId, organization, work };
  const jobId = createJobId(organization, operationId);
  const name = isKeywordAddition(work) ? 'add-keywords' : work.action;
  const added = await queue.add(name, data, { ...defaults, ...job, jobId });
  // The default options of a queue may have the same effect.
  if (added.id !== jobId)
    throw invalid(
      `The queue has job ${added.id} in place of this work, by its defaultJobOptions: remove those that repeat or deduplicate jobs.`,
    );
  if (intent === undefined) return { operationId, job: added };
  const stored: Job | undefined = await queue.getJob(jobId);
  // It may be done and removed by now.
  if (stored && toComparable(stored.data) !== toComparable(data)) {
    throw new FleetError(
      `The queue has operation ${operationId} with different work. Use another intent, or remove the job first.`,
      { code: 'INPUT_CONFLICT' },
    );
  }
  return { operationId, job: stored ?? added };
}

/** Work compares as in the journal: in any order of its fields. */
const toComparable = (data: unknown): string => canonicalJson(JSON.parse(JSON.stringify(data)));

const invalid = (message: string): FleetError => new FleetError(message, { code: 'INVALID_OPTIONS' });
