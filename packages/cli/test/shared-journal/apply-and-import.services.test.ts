import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startPostgres } from '../../../fleet/test-support/engines/postgres-server.ts';
import { startRedis } from '../../../fleet/test-support/engines/redis-server.ts';
import { createMachines, type Ended, type Machine, type Machines } from '../../test-support/machines.ts';

/* Longer commands on several machines, which share only a journal: `config apply` and `keywords import`. */

let machines: Machines;

type Operation = 'changeChat' | 'addSeoKeywords';

const sent = (operation: Operation): number =>
  machines.mock.requests.list().filter((request) => request.operation === operation).length;

/** Changes that the server applied. */
const applied = (): number => machines.mock.requests.list().filter((request) => request.applied).length;

/** The next change is applied, and its answer comes when the test is over. */
const holdNext = (operation: Operation, after = 0): void =>
  void machines.mock.faults.arm({ effect: 'delay', operation, delayMs: 60_000, applied: true, after });

/** Runs again while a process that was killed counts as alive: with Redis for five seconds, and in Postgres not at all. */
async function runWhenFree(machine: Machine, engine: string, args: readonly string[]): Promise<Ended> {
  for (;;) {
    const ended = await machine.run(...args);
    if (ended.code !== 5 || engine === 'Postgres') return ended;
  }
}

describe.each([
  ['Postgres', startPostgres, (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres`],
  ['Redis', startRedis, (port: number) => `redis://127.0.0.1:${port}`],
])('in %s', (engine, start, toUrl) => {
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start();
    machines = await createMachines(toUrl(server.port));
    await machines.add().run('ops', 'migrate');
  });
  afterAll(async () => {
    await machines.end();
    await server.stop();
  });
  beforeEach(() => machines.mock.reset());

  describe('config apply', () => {
    const count = 6;
    const names = Array.from({ length: count }, (_, number) => `Applied ${number}`);

    function apply(machine: Machine, ...more: string[]): string[] {
      const tags = names.map((name) => ({ name, color: 'blue' }));
      const links = [{ name: 'Link', url: 'https://example.com', tagId: names[0], scenarioId: null }];
      writeFileSync(join(machine.folder, 'orgchat.json'), JSON.stringify({ version: 1, tags, links }));
      return ['config', 'apply', 'orgchat.json', '--yes', ...more];
    }

    test('runs on one machine at a time, and another one finishes what a kill left', async () => {
      const [one, other] = [machines.add(), machines.add()];
      holdNext('changeChat', 2);
      const { child, ended } = one.begin(...apply(one), '--json', '--pacing', 'off');
      await expect.poll(applied).toBeGreaterThan(2);
      const second = await other.run(...apply(other));
      expect([second.code, second.json.error]).toMatchObject([
        5,
        { code: 'APPLY_UNDER_WAY', holder: { pid: child.pid, host: expect.any(String) } },
      ]);
      expect(second.json.error?.hint).toBe(
        'Try again when it has ended, or wait for it with --lock-timeout 600.',
      );
      const waiting = other.run(...apply(other, '--lock-timeout', '60'));
      child.kill('SIGKILL');
      await ended;
      expect((await waiting).code).toBe(0);
      // The killed step was applied, and the journal does not know it yet.
      const resumed = await other.run('ops', 'resume', '--all');
      expect(resumed).toMatchObject({ code: 0, json: [{ state: 'applied', replayed: true }] });
      expect(applied()).toBe(count + 1);
      const third = machines.add();
      const again = await third.run(...apply(third));
      expect([again.code, again.json.applied, again.json.unchanged]).toEqual([0, 0, count + 1]);
      expect(applied()).toBe(count + 1);
      expect((await third.run('ops', 'list', '--unsettled')).json).toEqual([]);
    });
  });

  describe('keywords import', () => {
    const list = Array.from({ length: 120 }, (_, number) => `word ${number}`).join('\n');
    function importing(machine: Machine, group: string, ...more: string[]): string[] {
      writeFileSync(join(machine.folder, 'words.txt'), list);
      return ['keywords', 'import', 'demo-site', 'words.txt', '--group', group, ...more];
    }
    const counts = ({ code, json }: Ended) => [code, json.added?.length, json.unknown?.[0]?.keywords?.length];

    test('that was killed is continued by another machine, and sends no keyword twice', async () => {
      const [one, other] = [machines.add(), machines.add()];
      holdNext('addSeoKeywords', 1);
      const { child, ended } = one.begin(...importing(one, 'killed'), '--json', '--pacing', 'off');
      await expect.poll(() => sent('addSeoKeywords')).toBe(2);
      const second = await other.run(...importing(other, 'killed'));
      expect([second.code, second.json.error]).toMatchObject([
        5,
        { code: 'IMPORT_UNDER_WAY', holder: { pid: child.pid }, hint: expect.stringMatching(/the rest\.$/) },
      ]);
      child.kill('SIGKILL');
      await ended;
      const next = await runWhenFree(other, engine, importing(other, 'killed'));
      expect(counts(next)).toEqual([7, 70, 50]);
      expect(sent('addSeoKeywords')).toBe(3);
      // A third machine knows all of it, and may send the unknown ones on request.
      const third = machines.add();
      expect(counts(await third.run(...importing(third, 'killed')))).toEqual([7, 70, 50]);
      expect(sent('addSeoKeywords')).toBe(3);
      const last = await third.run(...importing(third, 'killed', '--retry-unknown'));
      expect([last.code, last.json.added?.length, last.json.skipped?.length]).toEqual([0, 70, 50]);
      expect(sent('addSeoKeywords')).toBe(4);
      expect((await one.run('ops', 'list', '--unsettled')).json).toEqual([]);
    });

    test('that is repeated from another machine sends nothing twice', async () => {
      const [one, other] = [machines.add(), machines.add()];
      const results = await Promise.all(
        [one, other].map((machine) => machine.run(...importing(machine, 'twice', '--resume'))),
      );
      expect(results.map(({ code }) => code).sort()).toEqual(expect.arrayContaining([0]));
      expect(results.every(({ code }) => code === 0 || code === 5)).toBe(true);
      expect(counts(await other.run(...importing(other, 'twice', '--resume')))).toEqual([0, 120, undefined]);
      expect(sent('addSeoKeywords')).toBe(3);
    });

    test('sends keywords again that were forgotten on another machine', async () => {
      const [one, other] = [machines.add(), machines.add()];
      machines.mock.faults.arm({ effect: 'drop-request', operation: 'addSeoKeywords' });
      const lost = await one.run(...importing(one, 'forgotten', '--retries', '0'));
      expect(counts(lost)).toEqual([7, 70, 50]);
      const id = String(lost.json.unknown?.[0]?.operationId);
      expect((await other.run('ops', 'forget', id, '--yes')).json).toEqual({
        operationId: id,
        forgotten: true,
      });
      expect(counts(await other.run(...importing(other, 'forgotten')))).toEqual([0, 120, undefined]);
    });
  });
});
