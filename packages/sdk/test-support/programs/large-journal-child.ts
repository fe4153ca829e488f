import { createClient, type Journal, type JournalEntry } from '../../src/index.ts';

/*
 * A client of a journal with very many settled entries, in a process whose memory is limited. The journal makes its entries
 * when they are asked for. Prints what its lists found, as JSON.
 */

const count = Number(process.argv[2]);
const refusedEach = 1_000;

const toId = (n: number): string => `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
const toTime = (n: number): string => new Date(1_700_000_000_000 + n * 1_000).toISOString();

let longest = 0;
const body = JSON.stringify({ change: { action: 'create-tags', data: { name: 'x'.repeat(500) } } });

function toEntry(n: number, target: string): JournalEntry {
  const [operationId, time] = [toId(n), toTime(n)];
  return {
    ...{ format: 2, operationId, target, kind: 'change', path: '/chat/changes', attempts: 1 },
    body,
    state: n % refusedEach === 0 ? 'refused' : 'applied',
    ...{ createdAt: time, updatedAt: time, deadline: time },
  };
}

const journal: Journal = {
  add: () => true,
  get: () => undefined,
  claim: () => undefined,
  settle: () => true,
  remove: () => true,
  list(target, { open = false, after, limit = Number.POSITIVE_INFINITY } = {}) {
    const entries: JournalEntry[] = [];
    const from = after === undefined ? 0 : Number.parseInt(after.operationId.slice(0, 8), 16) + 1;
    for (let n = from; !open && n < count && entries.length < limit; n++) entries.push(toEntry(n, target));
    longest = Math.max(longest, entries.length);
    return { entries, problems: [] };
  },
};

const { operations } = createClient({
  apiKey: 'large-key',
  baseUrl: 'http://127.0.0.1:9/api/v1',
  pacing: false,
  journal,
});

const first = await operations.list();
const refused = await operations.list({ state: 'refused' });
console.log(JSON.stringify({ first: first.length, refused: refused.length, longest }));
