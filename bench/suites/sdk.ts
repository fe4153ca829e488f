import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@orgchat/sdk';
import { fileJournal } from '@orgchat/sdk/node';
import createFetchClient from 'openapi-fetch';
import { sameFileOperations } from '../support/file-operations.ts';
import { rounds } from '../support/rounds.ts';
import { against, type Group, type Row, type Suite } from '../support/row.ts';
import { differences } from '../support/statistics.ts';
import { processorMicroseconds as microseconds } from '../support/timing.ts';

const group: Group = {
  title: 'The SDK: one call',
  about:
    'Processor time of a call with a global `fetch` that answers at once, minus that of the same call through openapi-fetch, on which the SDK is built. With the file journal, all work that the SDK adds is compared with the file operations alone: the same system calls, flags and sizes in the same folder, before and after the request. The rows with an own `fetch` are for comparison: Node then creates one more abort signal per `Request`.',
};
const peer = 'openapi-fetch';
const settings = { apiKey: 'bench-key', baseUrl: 'http://127.0.0.1:9/api/v1' };

const record = {
  id: '3f8a9f0e-1c55-4f0e-9a38-6f7f3b1f2c11',
  revision: 'a'.repeat(64),
  label: 'Spring campaign',
  name: 'Spring campaign',
  color: 'pink',
  createdAt: '2025-03-01T09:00:00.000Z',
  updatedAt: '2025-03-01T09:00:00.000Z',
};
const headers = { 'Content-Type': 'application/json', 'X-Request-Id': 'req-00000001' };
const answers = {
  read: JSON.stringify({ record }),
  change: JSON.stringify({ ok: true, applied: true, replayed: false, auditRecorded: true, result: record }),
};

/** Called when a request was sent. */
let sent: (() => void) | undefined;

type Fetch = (request: Request) => Promise<Response>;

/** How a client gets its `fetch`. */
interface Door {
  readonly name: string;
  /** Whether the targets apply. They are for a client without this option. */
  readonly held: boolean;
  /** Lets `work` create its clients with these options. Each request is answered at once with `text`. */
  open<T>(text: string, work: (options: { fetch?: Fetch }) => Promise<T>): Promise<T>;
}

const answering = (text: string) => async () => {
  sent?.();
  return new Response(text, { status: 200, headers });
};

const doors: readonly Door[] = [
  {
    name: '',
    held: true,
    async open(text, work) {
      const own = globalThis.fetch;
      globalThis.fetch = answering(text);
      try {
        return await work({});
      } finally {
        globalThis.fetch = own;
      }
    },
  },
  {
    name: ', with its own `fetch`',
    held: false,
    open: (text, work) => work({ fetch: answering(text) }),
  },
];

const query = { resource: 'tags', id: record.id } as const;
const change = { action: 'create-tags', data: { name: 'Spring campaign', color: 'pink' } } as const;

/** openapi-fetch without generated types, on which the SDK is built. */
type Untyped = Record<string, Record<'post', { requestBody: { content: { 'application/json': object } } }>>;
const bareClient = (own: { fetch?: Fetch }) =>
  createFetchClient<Untyped>({
    ...own,
    baseUrl: settings.baseUrl,
    headers: { Authorization: `Bearer ${settings.apiKey}` },
  });

/** Many short turns, so that both sides of a comparison run under the same conditions of the file system. */
const calls = 500;
const callsWithFiles = 250;
const options = { rounds: 63, warmUp: 8 };

async function reads({ name, held }: Door, own: { fetch?: Fetch }): Promise<Row> {
  const client = createClient({ ...settings, ...own, pacing: false });
  const bare = bareClient(own);
  const { ours, theirs } = await rounds(
    {
      ours: () => microseconds(calls, () => client.readChat(query)),
      theirs: () => microseconds(calls, () => bare.POST('/chat/read', { body: query })),
    },
    options,
  );
  const row = {
    group,
    what: `read${name}`,
    unit: 'µs',
    ours,
    ...(held && { target: { atMost: 25 } }),
  } as const;
  return against(row, '−', peer, theirs);
}

async function changes({ name, held }: Door, own: { fetch?: Fetch }): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'orgchat-bench-'));
  const shared = { ...settings, ...own, pacing: false } as const;
  const inMemory = createClient(shared);
  const onDisk = createClient({ ...shared, journal: fileJournal(folder) });
  const bare = bareClient(own);
  try {
    // The first changes also make and clean the folder.
    for (let i = 0; i < 3; i++) await onDisk.changeChat(change);
    const files = await sameFileOperations((operationId, told) => {
      sent = told;
      return onDisk.changeChat(change, { operationId });
    });
    sent = undefined;
    const bareChange = (operationId: string) => bare.POST('/chat/changes', { body: { operationId, change } });
    // The same files around the same call. Alone in a loop, the file operations would find warm caches.
    const bareWithFiles = async (): Promise<void> => {
      const operationId = crypto.randomUUID();
      files.before(operationId);
      await bareChange(operationId);
      files.after(operationId);
    };
    const { memory, disk, both, theirs } = await rounds(
      {
        memory: () => microseconds(calls, () => inMemory.changeChat(change)),
        disk: () => microseconds(callsWithFiles, () => onDisk.changeChat(change)),
        theirs: () => microseconds(calls, () => bareChange(crypto.randomUUID())),
        both: () => microseconds(callsWithFiles, bareWithFiles),
      },
      options,
    );
    const peerFiles = `its ${files.names.length} file operations alone`;
    const bareFiles = differences(both, theirs);
    const row = (what: string, ours: readonly number[], atMost?: number) => ({
      group,
      what: `${what}${name}`,
      unit: 'µs' as const,
      ours,
      ...(held && atMost !== undefined && { target: { atMost } }),
    });
    return [
      against(row('change with the memory journal', memory, 40), '−', peer, theirs),
      against(row('change with the file journal', differences(disk, theirs), 1.5), '×', peerFiles, bareFiles),
      against(
        row('the part that the file journal adds', differences(disk, memory)),
        '×',
        peerFiles,
        bareFiles,
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const suite: Suite = {
  name: 'sdk',
  async run() {
    const rows: Row[] = [];
    for (const door of doors) {
      rows.push(
        await door.open(answers.read, (own) => reads(door, own)),
        ...(await door.open(answers.change, (own) => changes(door, own))),
      );
    }
    return rows;
  },
};
