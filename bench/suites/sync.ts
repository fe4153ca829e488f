import { createClient, type TemplateInput } from '@orgchat/sdk';
import { rounds } from '../support/rounds.ts';
import { figure, type Group, type Row, type Suite } from '../support/row.ts';
import { processorMicroseconds } from '../support/timing.ts';

const group: Group = {
  title: 'The SDK: sync',
  about:
    'Processor time of a sync of 2,000 rows, with a global `fetch` that answers at once from a list in memory, its own work included. The suite fails if a sync sends more than one request per page of the list, one per change and two.',
};
const settings = { apiKey: 'bench-key', baseUrl: 'http://127.0.0.1:9/api/v1', pacing: false } as const;
const count = 2_000;
const pageSize = 50;

const rowsOf = (text: string): TemplateInput[] =>
  Array.from({ length: count }, (_, n) => ({ name: `Template ${n}`, text: `${text} ${n}` }));

interface ListedTemplate extends TemplateInput {
  readonly id: string;
  readonly revision: string;
  readonly label: string;
}

type Answered = { readonly resource: string; readonly offset?: number } & {
  readonly change: { readonly id?: string; readonly data: TemplateInput };
};

/** A server of one list, newest first, and how many requests it got. */
function createServer(texts: readonly TemplateInput[]) {
  let requests = 0;
  let ids = 0;
  let records: ListedTemplate[] = [];
  const toRecord = (data: TemplateInput, id = `id-${++ids}`): ListedTemplate => ({
    ...data,
    id,
    label: data.name,
    revision: String(++ids).padStart(64, '0'),
  });
  records = texts.map((data) => toRecord(data));
  async function fetch(request: Request): Promise<Response> {
    requests++;
    if (request.url.endsWith('/me')) {
      const credits = { allowance: 1, used: 0, remaining: 1, resetsAt: '2027-01-01T00:00:00Z' };
      const api = { used: 0, limit: 1, perMinute: 60 };
      const key = { name: 'Bench', scope: 'write' };
      return Response.json({ organizationId: 'o', key, plan: 'business', credits, api });
    }
    const { offset = 0, change } = (await request.json()) as Answered;
    if (change === undefined) {
      const page = records.slice(offset, offset + pageSize);
      return Response.json({ records: page, total: records.length, limited: false });
    }
    const result = toRecord(change.data, change.id);
    return Response.json({ ok: true, applied: true, replayed: false, auditRecorded: true, result });
  }
  return { fetch, requests: () => requests };
}

/** Milliseconds of processor time of a sync. Throws if it sent more than it must. */
async function timeSync(before: readonly TemplateInput[], changes: number): Promise<number> {
  const server = createServer(before);
  const own = globalThis.fetch;
  globalThis.fetch = server.fetch as typeof fetch;
  const client = createClient(settings);
  const rows = rowsOf('Text');
  const sync = processorMicroseconds(1, async () => {
    const { created, updated, unchanged } = await client.templates.sync(rows, { by: 'name' });
    if (created + updated !== changes || unchanged !== count - changes)
      throw new Error('The sync did something else.');
  });
  const microseconds = await sync.finally(() => {
    globalThis.fetch = own;
  });
  const most = Math.ceil(before.length / pageSize) + 2 + changes;
  if (server.requests() > most)
    throw new Error(`The sync sent ${server.requests()} requests, at most ${most} are right.`);
  return microseconds / 1_000;
}

export const suite: Suite = {
  name: 'sync',
  async run() {
    const { unchanged, updated, created } = await rounds(
      {
        unchanged: () => timeSync(rowsOf('Text'), 0),
        updated: () => timeSync(rowsOf('Old'), count),
        created: () => timeSync([], count),
      },
      { rounds: 7, warmUp: 1 },
    );
    const row = (what: string, ours: readonly number[]): Row =>
      figure({ group, what, unit: 'ms', ours, target: { atMost: 1_000 } });
    return [
      row('2,000 rows that change nothing', unchanged),
      row('2,000 rows that are all updated', updated),
      row('2,000 rows that are all created', created),
    ];
  },
};
