import { createClient, type OrgChatClient, type TemplateInput } from '../src/index.ts';
import type { Mocked } from './mocked.ts';

/* What tests of syncs have in common: templates as rows, and what they do and count. */

export const by = { by: 'name' } as const;

export const range = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

export const rowsOf = (count: number): TemplateInput[] =>
  range(count).map((n) => ({ name: `Row ${n}`, text: `${n}` }));

/** Reads `at` when it is called. */
export function createSyncHelpers(at: Mocked) {
  const requests = () => at.mock.requests.list();
  const templates = () => at.client.templates.list().toArray();
  return {
    requests,
    templates,
    /** Another machine: a client without the journal of the first. */
    elsewhere: (): OrgChatClient => createClient(at.options),
    /** The number of requests that `work` sends. */
    async countRequests(work: () => Promise<unknown>): Promise<number> {
      const before = requests().length;
      await work();
      return requests().length - before;
    },
    async clear(): Promise<void> {
      for (const template of await templates()) await at.client.templates.delete(template);
    },
  };
}
