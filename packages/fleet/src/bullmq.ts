export { type Enqueued, type EnqueueOptions, enqueue } from './bullmq/enqueue.ts';
export type { ClientLookup } from './bullmq/find-client.ts';
export { createProcessor, type JobResult, type ProcessorOptions } from './bullmq/processor.ts';
export type { KeywordAddition, QueuedWork } from './bullmq/queued-work.ts';
export { FleetError, type FleetErrorCode } from './fleet-error.ts';
