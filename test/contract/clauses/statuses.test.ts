import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operations, serve } from './service.ts';
import { badCalls, calls, causes, type OperationName } from './statuses.ts';

const names = Object.keys(calls) as OperationName[];
const writes: readonly OperationName[] = ['addSeoKeywords', 'changeChat'];

/** The clauses of each operation for the statuses that all operations have. */
const clauses: Record<
  OperationName,
  { done: string; key: string; access: string; limits: string; broken: string }
> = {
  getAccount: { done: '4.1.3, 4.1.17', key: '4.1.18', access: '4.1.19', limits: '4.1.20', broken: '4.1.21' },
  addSeoKeywords: { done: '4.2.13', key: '4.2.16', access: '4.2.17', limits: '4.2.19', broken: '4.2.20' },
  readChat: { done: '4.3.27', key: '4.3.29', access: '4.3.30', limits: '4.3.33', broken: '4.3.34' },
  changeChat: { done: '4.4.36', key: '4.4.38', access: '4.4.39', limits: '4.4.44', broken: '4.4.45' },
  readStudio: { done: '4.5.36', key: '4.5.38', access: '4.5.39', limits: '4.5.43', broken: '4.5.44' },
};
const of = (what: keyof (typeof clauses)['getAccount']): [string, OperationName][] =>
  names.map((name) => [clauses[name][what], name]);

const declared = (name: OperationName): number[] =>
  Object.keys(operations.find(({ operationId }) => operationId === name)?.responses ?? {}).map(Number);

describe('statuses', () => {
  it.each(of('done'))('[%s] %s succeeds', async (_, name) => {
    const { status } = await calls[name](serve().caller);
    expect(status).toBe(name === 'addSeoKeywords' ? 201 : 200);
    expect(declared(name).filter((code) => code < 300)).toEqual([status]);
  });

  it.each(of('key'))('[%s, 7.2.3] %s answers 401 to an invalid key', async (_, name) => {
    const { caller } = serve();
    for (const key of ['', 'unknown', 'demo-revoked-key', 'demo-deleted-org-key']) {
      const { status, body } = await calls[name](caller.as(key));
      expect({ key, status, error: body.error }).toEqual({ key, status: 401, error: 'UNAUTHORIZED' });
    }
  });

  it.each(of('access'))('[%s, 7.2.4] %s answers 403 without the plan or the permission', async (_, name) => {
    const { caller } = serve();
    const status = async (key: string): Promise<number> => (await calls[name](caller.as(key))).status;
    expect(await status('demo-no-api-key')).toBe(403);
    for (const key of ['demo-read-key', 'demo-viewer-key']) {
      expect((await status(key)) === 403, key).toBe(writes.includes(name));
    }
  });

  it.each(of('limits'))(
    '[%s, 7.2.9] %s answers 429 past the minute limit and past the quota',
    async (_, name) => {
      for (const [limit, code] of [
        [{ rateLimit: 1 }, 'RATE_LIMITED'],
        [{ monthlyLimit: 1 }, 'QUOTA_EXCEEDED'],
      ] as const) {
        const { caller } = serve(limit);
        expect((await calls[name](caller)).status).toBeLessThan(300);
        const { status, body } = await calls[name](caller);
        expect([status, body.error]).toEqual([429, code]);
      }
    },
  );

  it.each(of('broken'))('[%s, 7.2.10, 7.2.12] %s answers 500 with X-Request-Id', async (_, name) => {
    const { caller, mock } = serve();
    mock.faults.arm({ effect: 'respond', status: 500, operation: name, times: 2 });
    const answers = [await calls[name](caller), await calls[name](caller)];
    expect(answers.map(({ status }) => status)).toEqual([500, 500]);
    const ids = answers.map(({ headers }) => headers.get('x-request-id'));
    expect(new Set(ids.filter(Boolean)).size).toBe(2);
    expect((await calls[name](caller)).status).toBeLessThan(300);
  });

  it.each<[string, keyof typeof badCalls]>([
    ['4.2.14', 'addSeoKeywords'],
    ['4.3.28', 'readChat'],
    ['4.4.37', 'changeChat'],
    ['4.5.37', 'readStudio'],
  ])('[%s, 7.2.1] %s answers 400 to invalid input', async (_, name) => {
    const { status, body } = await badCalls[name](serve().caller);
    expect([status, body.error]).toEqual([400, 'INVALID_INPUT']);
  });

  it.each(causes)('[%s] %s answers %i %s: %s', async (_, name, status, code, _what, happen) => {
    const answer = await happen(serve());
    expect([answer.status, answer.body.error]).toEqual([status, code]);
    expect(declared(name)).toContain(status);
  });

  it.each<[string, number, readonly OperationName[]]>([
    ['7.2.1', 400, names.filter((name) => name !== 'getAccount')],
    ['7.2.3', 401, names],
    ['7.2.4', 403, names],
    ['7.2.5, 7.2.6, 7.2.7', 404, names.filter((name) => name !== 'getAccount')],
    ['7.2.8', 409, ['changeChat']],
    ['7.2.9', 429, names],
    ['7.2.10', 500, names],
    ['7.2.11', 502, ['changeChat', 'readStudio']],
  ])('[%s] the document declares %i for exactly the operations of the clause', (_, status, where) => {
    expect(names.filter((name) => declared(name).includes(status))).toEqual(where);
  });

  /** The rows `| **4.1.17** | 200 | …` of the specification. */
  const specification = readFileSync(new URL('../../../spec/SPECIFICATION.md', import.meta.url), 'utf8');
  const rows = Array.from(specification.matchAll(/^\| \*\*4\.(\d)\.\d+\*\* \| (\d{3}) \|/gm));
  it.each(names.map((name, i) => [name, String(i + 1)] as const))(
    'the document declares for %s exactly the statuses of section 4.%s',
    (name, section) => {
      const said = rows.filter(([, at]) => at === section).map(([, , status]) => Number(status));
      expect(said.length).toBeGreaterThan(4);
      expect(declared(name)).toEqual([...new Set(said)].sort());
    },
  );
});
