import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@orgchat/sdk';
import { fileJournal } from '@orgchat/sdk/node';
import createFetchClient from 'openapi-fetch';
import { sameFileOperations } from '../support/file-operations.ts';
import { processorMicroseconds as microseconds, rounds } from '../support/rounds.ts';
import { against, type Row, type Suite } from '../support/row.ts';

const group = 'The SDK: what a call costs beyond bare openapi-fetch, with an instant fetch (processor time)';
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

/** A server in no time: the answer is there as soon as it is asked for. */
const instantly = (text: string) => async (_request: Request) => new Response(text, { status: 200, headers });

const query = { resource: 'tags', id: record.id } as const;
const change = { action: 'create-tags', data: { name: 'Spring campaign', color: 'pink' } } as const;

/** openapi-fetch without generated types: what the SDK is built on, doing the same. */
type Untyped = Record<string, Record<'post', { requestBody: { content: { 'application/json': object } } }>>;
const bareClient = (text: string) =>
  createFetchClient<Untyped>({
    baseUrl: settings.baseUrl,
    headers: { Authorization: `Bearer ${settings.apiKey}` },
    fetch: instantly(text),
  });

const calls = 200;
const options = { rounds: 101, warmUp: 10 };

async function reads(): Promise<Row> {
  const client = createClient({ ...settings, pacing: false, fetch: instantly(answers.read) });
  const bare = bareClient(answers.read);
  const { ours, theirs } = await rounds(
    {
      ours: () => microseconds(calls, () => client.readChat(query)),
      theirs: () => microseconds(calls, () => bare.POST('/chat/read', { body: query })),
    },
    options,
  );
  return against({ group, what: 'read', unit: 'µs', ours, target: { atMost: 25 } }, '−', peer, theirs);
}

async function changes(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'orgchat-bench-'));
  const folders = { from: join(folder, 'journal'), to: join(folder, 'bare') };
  const shared = { ...settings, pacing: false, fetch: instantly(answers.change) } as const;
  const inMemory = createClient(shared);
  const onDisk = createClient({ ...shared, journal: fileJournal(folders.from) });
  const bare = bareClient(answers.change);
  try {
    // The first changes also make and clean the folder.
    for (let i = 0; i < 3; i++) await onDisk.changeChat(change);
    const files = await sameFileOperations(
      (operationId) => onDisk.changeChat(change, { operationId }),
      folders,
    );
    mkdirSync(folders.to, { recursive: true });
    const { memory, disk, alone, theirs } = await rounds(
      {
        memory: () => microseconds(calls, () => inMemory.changeChat(change)),
        disk: () => microseconds(calls / 4, () => onDisk.changeChat(change)),
        alone: () => microseconds(calls / 4, files.again),
        theirs: () =>
          microseconds(calls, () =>
            bare.POST('/chat/changes', { body: { operationId: crypto.randomUUID(), change } }),
          ),
      },
      options,
    );
    const overhead = disk.map((cost, i) => cost - (theirs[i] ?? 0));
    const what = 'change with the file journal, less openapi-fetch';
    return [
      against(
        { group, what: 'change with the memory journal', unit: 'µs', ours: memory, target: { atMost: 40 } },
        '−',
        peer,
        theirs,
      ),
      against(
        { group, what, unit: 'µs', ours: overhead, target: { atMost: 1.5 } },
        '×',
        `its ${files.names.length} file operations done bare`,
        alone,
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const suite: Suite = {
  name: 'sdk',
  run: async () => [await reads(), ...(await changes())],
};
