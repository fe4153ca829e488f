import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMock } from '@orgchat/mock-server';
import { expect, it } from 'vitest';
import { controlDocument } from '../../spec/test-support/document.ts';

const folder = fileURLToPath(new URL('./go-client', import.meta.url));

/** Runs the client. The libraries of Debian's Go packages need neither modules nor the network. */
function runGo(
  args: readonly string[],
  cache: string,
): Promise<{ code: number | null; out: string; err: string }> {
  const env = {
    ...process.env,
    GO111MODULE: 'off',
    GOPATH: '/usr/share/gocode',
    GOCACHE: cache,
    GOFLAGS: '',
  };
  const child = spawn('go', ['run', 'main.go', ...args], { cwd: folder, env });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

it.runIf(process.platform === 'linux')(
  'a client in Go makes every call of the control API, with requests as its document in 3.0.3 says',
  async () => {
    const cache = mkdtempSync(join(tmpdir(), 'orgchat-go-'));
    const server = await createMock({ rateLimit: 'off' }).listen({ port: 0 });
    try {
      const { code, out, err } = await runGo([server.url], cache);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      const operations = Object.values(controlDocument.paths).flatMap((methods) =>
        Object.values(methods).map(({ operationId }) => operationId),
      );
      expect(out.trim().split(' ')).toEqual(operations.sort());
    } finally {
      await server.close();
      rmSync(cache, { recursive: true, force: true });
    }
  },
);
