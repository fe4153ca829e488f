import type { Queue } from 'bullmq';
import { expect, test } from 'vitest';
import { enqueue } from './enqueue.ts';

test('work is added as it was given, though its object is used again before the queue stores it', async () => {
  const stored = new Map<string, { readonly data: unknown }>();
  const queue = {
    async add(_name: string, data: object, { jobId }: { readonly jobId: string }) {
      await Promise.resolve();
      const job = { id: jobId, data: JSON.parse(JSON.stringify(data)) };
      stored.set(jobId, job);
      return job;
    },
    getJob: async (jobId: string) => stored.get(jobId),
  } as unknown as Queue;
  const change = { action: 'create-tags', data: { name: '', color: 'pink' } } as const;
  const tag: { name: string } = change.data;
  const added = ['Gold', 'Silver'].map((name) => {
    tag.name = name;
    return enqueue(queue, change, { organization: 'o', intent: ['import', name] });
  });
  const jobs = (await Promise.all(added)).map(({ job }) => job.data.work);
  expect(jobs).toMatchObject([{ data: { name: 'Gold' } }, { data: { name: 'Silver' } }]);
});
