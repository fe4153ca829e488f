import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { builtinModules } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { rollup } from 'rollup';
import { expect, onTestFinished, test } from 'vitest';
import { installPackage } from '../test-support/programs/install-package.ts';

/*
 * A deploy in place deletes the files of a program that runs. The built package loads none of them in the middle of a
 * call, so a program that is installed or bundled into one file continues, and what it reports is what happened.
 */

const webpackChild = fileURLToPath(new URL('../test-support/programs/webpack-child.mjs', import.meta.url));

/** A program that loses the answer of its first write, while its files are deleted. */
const program = `
import { createClient, OutcomeUnknownError } from '@orgchat/sdk';
import { fileJournal } from '@orgchat/sdk/node';

const [baseUrl, journal] = process.argv.slice(2);
const client = createClient({
  baseUrl,
  apiKey: 'test-key-1234567890',
  pacing: false,
  retry: { baseDelayMs: 1, maxDelayMs: 1, maxAttempts: 2 },
  journal: fileJournal(journal),
});
const name = (error) => (error instanceof OutcomeUnknownError ? 'unknown' : error.name + ' ' + error.code);
const vip = { name: 'VIP', color: 'pink' };
const first = await client.tags.create(vip, { intent: ['first'] }).then(() => 'applied', name);
const all = await client.bulk([1, 2], (n) => client.tags.upsert({ ...vip, name: 'VIP ' + n }, { by: 'name' }));
const words = await client.keywords.import('site', ['one', 'two']).then(() => 'imported', name);
const others = await Promise.all(
  [
    client.tags.list().toArray(),
    client.tags.edit('6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21', (data) => data),
    client.friends.addTags({ accountId: 'a', userId: 'u' }, ['t']),
    client.operations.resumeAll(),
    client.studio.projects().first(),
  ].map((call) => Promise.resolve(call).then(() => 'done', name)),
);
console.log(JSON.stringify({ first, bulk: all.results.map(({ error }) => name(error)), words, others }));
`;

const bundlers: Readonly<Record<string, (file: string, folder: string, out: string) => Promise<unknown>>> = {
  esbuild: (file, _folder, out) =>
    build({
      entryPoints: [file],
      bundle: true,
      splitting: true,
      outdir: out,
      outExtension: { '.js': '.mjs' },
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
    }),
  async rollup(file, folder, out) {
    const modules = join(folder, 'node_modules');
    const paths: Readonly<Record<string, string>> = {
      '@orgchat/sdk': join(modules, '@orgchat/sdk/dist/esm/index.js'),
      '@orgchat/sdk/node': join(modules, '@orgchat/sdk/dist/esm/node.js'),
      'openapi-fetch': join(modules, 'openapi-fetch/dist/index.mjs'),
    };
    const plugins = [{ name: 'packages', resolveId: (id: string) => paths[id] }];
    const bundle = await rollup({ input: file, external: [...builtinModules], plugins });
    await bundle.write({ dir: out, entryFileNames: '[name].mjs' });
  },
  webpack: (file, folder, out) => promisify(execFile)(process.execPath, [webpackChild, file, folder, out]),
};

test.each(['no bundler', ...Object.keys(bundlers)])(
  'files deleted in the middle of a write: %s',
  async (name) => {
    const { folder, file } = installPackage(program);
    const bundler = bundlers[name];
    if (bundler) {
      const out = join(folder, 'out');
      await bundler(file, folder, out);
      // Nothing beside the one file.
      expect(readdirSync(out)).toEqual(['program.mjs']);
      renameSync(join(out, 'program.mjs'), file);
      rmSync(join(folder, 'node_modules'), { recursive: true });
    }
    const journal = mkdtempSync(join(tmpdir(), 'journal-'));
    onTestFinished(() => rmSync(journal, { recursive: true, force: true }));
    let requests = 0;
    const server = createServer((request) => {
      requests++;
      rmSync(folder, { recursive: true, force: true });
      request.socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
    const env = { ...process.env, NODE_OPTIONS: '' };
    const { stdout } = await promisify(execFile)(process.execPath, [file, baseUrl, journal], { env });
    const lost = 'ConnectionError CONNECTION_LOST';
    expect(JSON.parse(stdout)).toEqual({
      first: 'unknown',
      bulk: [lost, lost],
      words: 'imported',
      others: [lost, lost, lost, 'done', lost],
    });
    expect(existsSync(folder)).toBe(false);
    expect(requests).toBeGreaterThan(10);
  },
);
