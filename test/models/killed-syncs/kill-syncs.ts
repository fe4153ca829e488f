import { type ChildProcess, spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMock } from '@orgchat/mock-server';
import { createClient } from '@orgchat/sdk';
import { fileJournal } from '@orgchat/sdk/node';
import { bundleProgram } from '../../test-support/bundle-program.ts';
import { createRandom } from '../../test-support/random.ts';
import { before, rows } from './rows.ts';

/*
 * Two machines, each with a journal of its own, sync the same rows at the same time, and one of them dies with kill -9 at a
 * random request. Its sync is started again. However that goes, each row is one record in the end, and nothing else is there.
 */

const program = fileURLToPath(new URL('sync-program.ts', import.meta.url));

export interface KillCounts {
  readonly kills: number;
  /** Kills after the first change of the round and before its last. */
  readonly amidChanges: number;
  /** Records that are there twice. */
  readonly doubled: number;
  /** Rows without a record, or whose record has other data. */
  readonly lost: number;
  /** Records that no row names. */
  readonly left: number;
  /** Syncs that were not complete although they were not killed. */
  readonly incomplete: number;
}

/** Kills one sync per round. */
export async function killSyncs(seed: number, rounds: number): Promise<KillCounts> {
  const chance = createRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'orgchat-syncs-'));
  const mock = createMock({ rateLimit: 'off' });
  const { baseUrl, close } = await mock.listen({ port: 0 });
  const counts = { kills: 0, amidChanges: 0, doubled: 0, lost: 0, left: 0, incomplete: 0 };
  const options = { baseUrl, apiKey: 'demo-write-key', pacing: false } as const;
  const client = createClient(options);
  const start = (journal: string): ChildProcess =>
    spawn(process.execPath, [bundleProgram(program), baseUrl, journal], { stdio: 'inherit' });
  const end = async (child: ChildProcess): Promise<void> => {
    const [code] = await once(child, 'exit');
    if (code !== 0) counts.incomplete++;
  };
  try {
    for (let round = 0; round < rounds; round++) {
      mock.reset();
      for (const template of await client.templates.list().toArray()) await client.templates.delete(template);
      for (const row of before) await client.templates.create(row);
      const [own, other] = [join(folder, `${round}-own`), join(folder, `${round}-other`)];
      const changesBefore = mock.operations().length;
      const victim = start(own);
      const killed = once(victim, 'exit');
      const rival = end(start(other));
      let left = 1 + Math.floor(chance() * 130);
      const kill = (): void => {
        if (--left === 0) victim.kill('SIGKILL');
      };
      subscribe('orgchat.mock.answer', kill);
      const [, signal] = await killed;
      unsubscribe('orgchat.mock.answer', kill);
      const changes = mock.operations().length - changesBefore;
      if (signal === 'SIGKILL') counts.kills++;
      if (signal === 'SIGKILL' && changes > 0 && changes < rows.length + 15) counts.amidChanges++;
      await Promise.all([rival, end(start(own))]);
      // What the killed process left open changes nothing any more.
      const resuming = createClient({ ...options, journal: fileJournal(own) });
      await resuming.operations.resumeAll({ now: true });
      const templates = await client.templates.list().toArray();
      const names = new Set(templates.map(({ name }) => name));
      const texts = new Map(templates.map(({ name, text }) => [name, text]));
      counts.doubled += templates.length - names.size;
      counts.lost += rows.filter(({ name, text }) => texts.get(name) !== text).length;
      counts.left += [...names].filter((name) => !rows.some((row) => row.name === name)).length;
    }
    return counts;
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
}
