/*
 * What a call costs over bare openapi-fetch, with a `fetch` that answers at once; and what a change costs with the
 * file journal, over the same file operations done bare. Rounds of all of them are interleaved, so that a slow
 * moment of the machine falls on all. Run by `npm run bench` in this package, against dist.
 */
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import createFetchClient from 'openapi-fetch';
import { createClient, memoryJournal } from '../dist/index.js';
import { fileJournal } from '../dist/node.js';
import type { Wire } from '../src/types.ts';

const applied = '{"ok":true,"applied":true,"replayed":false,"auditRecorded":true,"result":{"id":"a"}}';
const page = '{"records":[],"total":0,"limited":false}';
const headers = { 'content-type': 'application/json', 'x-request-id': 'r' };
const baseUrl = 'https://api.example.com/api/v1';
const answer = async (request: Request): Promise<Response> =>
  new Response(request.url.endsWith('/chat/read') ? page : applied, { headers });

const vip = { name: 'VIP', color: 'pink' } as const;
const body = (operationId: string) => ({ operationId, change: { action: 'create-tags', data: vip } });
const bare = createFetchClient<Wire>({ baseUrl, fetch: answer, headers: { Authorization: 'Bearer k' } });
const options = { apiKey: 'k', baseUrl, fetch: answer };
const client = createClient({ ...options, journal: memoryJournal(), pacing: { perMinute: 1e9 } });
const folder = fs.mkdtempSync(join(tmpdir(), 'bench-'));
const filed = createClient({ ...options, journal: fileJournal(join(folder, 'journal')), pacing: false });

const change = (): Promise<unknown> =>
  bare.POST('/chat/changes', {
    body: JSON.stringify(body(crypto.randomUUID())),
    bodySerializer: (text) => text,
  });

const padding = 'x'.repeat(500);
const bareFolder = join(folder, 'bare');
fs.mkdirSync(bareFolder);

/** A change with the same file operations around it: a new file beside its place, linked there; then one over it. */
async function changeAndFiles(): Promise<void> {
  const path = join(bareFolder, `${crypto.randomUUID()}.0123456789abcdef.json`);
  const write = (): void => {
    const file = fs.openSync(`${path}.tmp`, 'wx', 0o600);
    fs.writeSync(file, JSON.stringify({ ...body(path), padding }));
    fs.closeSync(file);
  };
  write();
  fs.linkSync(`${path}.tmp`, path);
  fs.unlinkSync(`${path}.tmp`);
  await change();
  write();
  fs.renameSync(`${path}.tmp`, path);
}

const turns = {
  'bare read': () => bare.POST('/chat/read', { body: '{"resource":"tags"}', bodySerializer: (text) => text }),
  read: () => client.readChat({ resource: 'tags' }),
  'bare change': change,
  change: () => client.changeChat({ action: 'create-tags', data: vip }),
  'bare change and files': changeAndFiles,
  'change, file journal': () => filed.changeChat({ action: 'create-tags', data: vip }),
} as const;

type Name = keyof typeof turns;
const names = Object.keys(turns) as Name[];
const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;

async function round(name: Name, calls: number): Promise<number> {
  const startedAt = performance.now();
  for (let n = 0; n < calls; n++) await turns[name]();
  return ((performance.now() - startedAt) * 1000) / calls;
}

const rounds = 25;
for (const name of names) await round(name, 2000);
for (let n = 0; n < rounds; n++) {
  for (const name of names) samples[name].push(await round(name, 400));
}
fs.rmSync(folder, { recursive: true });

const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
const at = (values: readonly number[], share: number): number =>
  sorted(values)[Math.floor((values.length - 1) * share)] ?? 0;
const spread = (values: readonly number[]): string =>
  `${at(values, 0.5).toFixed(1)} (${at(values, 0.25).toFixed(1)} to ${at(values, 0.75).toFixed(1)})`;
const difference = (a: Name, b: Name): number[] => samples[a].map((value, n) => value - (samples[b][n] ?? 0));

for (const name of names) console.log(`${name.padEnd(24)} ${spread(samples[name])} µs`);
console.log(`read over bare           ${spread(difference('read', 'bare read'))} µs, at most 25`);
console.log(`change over bare         ${spread(difference('change', 'bare change'))} µs, at most 40`);
const journal = difference('change, file journal', 'change');
const bareFiles = difference('bare change and files', 'bare change');
const ratio = journal.map((value, n) => value / (bareFiles[n] ?? 1));
console.log(`file journal over files  ${spread(ratio)} times, at most 1.5`);
