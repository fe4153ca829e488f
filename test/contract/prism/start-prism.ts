import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const document = fileURLToPath(new URL('../../../spec/openapi.yaml', import.meta.url));

/** Finds a free port, because Prism cannot choose one itself. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port');
  return address.port;
}

export interface Prism {
  readonly baseUrl: string;
  /** Its output so far, violations included. */
  log(): string;
  stop(): Promise<void>;
}

/**
 * Starts Prism as a validating proxy before `upstream`. By default a violation becomes an error answer. Otherwise
 * everything passes, and the header `sl-violations` lists the violations.
 */
export async function startPrism(upstream: string, { strict = true } = {}): Promise<Prism> {
  const port = await freePort();
  const bin = require.resolve('@stoplight/prism-cli/dist/index.js');
  const prism: ChildProcess = spawn(
    process.execPath,
    [
      bin,
      'proxy',
      document,
      upstream,
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      '--cors=false',
      `--errors=${strict}`,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let log = '';
  const listening = new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      log += chunk.toString();
      if (log.includes('Prism is listening')) resolve();
    };
    prism.stdout?.on('data', read);
    prism.stderr?.on('data', read);
    prism.once('exit', (code) => reject(new Error(`Prism ended with ${code} before it listened:\n${log}`)));
  });
  await listening;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    log: () => log,
    async stop() {
      if (prism.exitCode !== null) return;
      prism.kill();
      await once(prism, 'exit');
    },
  };
}
