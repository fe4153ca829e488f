import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build, transform } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';

/* The core, bundled with its dependency, in a realm that has what WinterTC promises and nothing of Node. */

const webApis = {
  AbortController,
  AbortSignal,
  FormData,
  Headers,
  ReadableStream,
  Request,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  clearTimeout,
  crypto,
  performance,
  setTimeout,
};

let code = '';
beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
    bundle: true,
    format: 'iife',
    globalName: 'sdk',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    write: false,
  });
  code = outputFiles[0]?.text ?? '';
});

function realm(globals: object): object {
  const context = createContext({ ...globals });
  runInContext(code, context);
  return context;
}

describe('in a bare realm', () => {
  test('reads, changes and resumes', async () => {
    let sent = 0;
    const fetch = async (request: Request): Promise<Response> => {
      if (request.url.endsWith('/chat/read'))
        return Response.json({ records: [{ id: 'a', name: 'A', color: 'pink' }], total: 1, limited: false });
      if (sent++ < 2) throw new TypeError('fetch failed');
      return Response.json({
        ok: true,
        applied: true,
        replayed: true,
        auditRecorded: true,
        result: { id: 'a', revision: 'r', label: 'A', name: 'A', color: 'pink' },
      });
    };
    const script = `(async () => {
      const client = sdk.createClient({ apiKey: 'key-of-a-test', baseUrl: 'https://example.com/api/v1', retry: { maxAttempts: 2, baseDelayMs: 1 } });
      const ids = [];
      for await (const { id } of client.tags.list()) ids.push(id);
      const intent = await sdk.operationIdFrom('a', 1);
      const error = await client.tags.create({ name: 'VIP', color: 'pink' }, { intent: ['a', 1] }).catch((error) => error);
      const { replayed, operationId } = await error.resume();
      return JSON.stringify({ ids, unknown: error instanceof sdk.OutcomeUnknownError, replayed, same: operationId === intent });
    })()`;
    const said: unknown = await runInContext(script, realm({ ...webApis, fetch }));
    expect(JSON.parse(String(said))).toEqual({ ids: ['a'], unknown: true, replayed: true, same: true });
  });

  test('a realm with a window and a document is refused', () => {
    const page = realm({
      ...webApis,
      window: {},
      document: {},
      navigator: { userAgent: 'Mozilla/5.0 Firefox/150' },
    });
    const script = `try { sdk.createClient({ apiKey: 'k', baseUrl: 'https://example.com' }); } catch (error) { error.code }`;
    expect(runInContext(script, page)).toBe('BROWSER_REFUSED');
  });

  test('loading it uses no globals: no Request, fetch or timers', () => {
    const touched: string[] = [];
    const traps = Object.fromEntries(
      Object.keys({ ...webApis, fetch }).map((name) => [
        name,
        {
          get: () => {
            touched.push(name);
            return undefined;
          },
        },
      ]),
    );
    const context = createContext(Object.defineProperties({}, traps));
    runInContext(code, context);
    expect(touched).toEqual([]);
  });

  test('classes and errors keep their names after minification', async () => {
    const { code: small } = await transform(code, { minify: true });
    const context = createContext({ ...webApis });
    runInContext(small, context);
    const names = (of: string): unknown =>
      runInContext(
        `Object.entries(sdk).filter(([name]) => /^[A-Z].*Error$/.test(name)).map(([name, type]) => ${of})`,
        context,
      );
    const exported = names('name') as string[];
    expect(exported).toHaveLength(15);
    const shown = exported.map((name) => (name === 'AbortedError' ? 'AbortError' : name));
    expect(names('type.name')).toEqual(shown);
    expect(names("new type('gone', { code: 'X' }).name")).toEqual(shown);
    expect(names("new type('gone', { code: 'X' }).stack.split('\\n')[0]")).toEqual(
      shown.map((name) => `${name}: gone`),
    );
  });

  test('without Symbol.asyncDispose, a client has no method of another name for it', () => {
    const script = `Object.keys(sdk.createClient({ apiKey: 'k', baseUrl: 'https://example.com/api/v1' }))`;
    const names: unknown = runInContext(script, realm(webApis));
    expect(names).toContain('operations');
    expect(names).not.toContain('undefined');
  });

  test('needs no Node module', () => {
    expect(code).not.toMatch(
      /(?:from|require\(|import\()\s*["'](?:node:)?(?:fs|crypto|path|os|diagnostics_channel)["']/,
    );
  });
});
