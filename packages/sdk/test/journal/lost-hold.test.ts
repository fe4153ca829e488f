import fs from 'node:fs';
import { getThisProcess } from '@orgchat/atomic-files';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ConflictError, OutcomeUnknownError } from '../../src/index.ts';
import { fileJournal } from '../../src/journal/file/file-journal.ts';
import type { Journal, JournalEntry } from '../../src/journal/journal.ts';
import { clock } from '../../test-support/clock.ts';
import { journalFolder, later } from '../../test-support/journals/journal-folder.ts';
import { getRejection } from '../../test-support/rejection.ts';
import {
  applied,
  elsewhere,
  failure,
  lost,
  type Step,
  scripted,
} from '../../test-support/servers/scripted.ts';

/* A call that waits for its slot of the pacing finds that another process took its entry. */

const vip = { name: 'VIP', color: 'pink' } as const;
const forbidden = failure(403, 'FORBIDDEN');
const folder = journalFolder();
const { only, put } = folder;
const text = (): string => fs.readFileSync(only(), 'utf8');

/** The entry as a process elsewhere holds it. */
const heldElsewhere = (deadline: string) => (entry: JournalEntry) => ({
  entry: { ...entry, deadline, token: 'theirs' },
  owner: { ...getThisProcess(), host: 'elsewhere' },
});

/** A client of one request per minute, whose entry becomes another's before its `nth` claim with its own token. */
function taken(
  nth: number,
  made: (entry: JournalEntry) => object,
  steps: readonly Step[] = [forbidden, applied],
) {
  const journal = fileJournal(folder.dir);
  let claims = 0;
  const events: { readonly type: string }[] = [];
  const claim: Journal['claim'] = async (key, hold) => {
    const known = await journal.get(key);
    if (known?.token === hold.token && ++claims === nth) put(made(known));
    return journal.claim(key, hold);
  };
  const kept: Journal = { ...journal, claim };
  const scripts = scripted(steps, {
    ...elsewhere(),
    journal: kept,
    pacing: { perMinute: 1 },
    onEvent: (event) => events.push(event),
  });
  return { ...scripts, problems: () => events.filter(({ type }) => type === 'journal') };
}

function stopClock(): void {
  vi.useFakeTimers({ toFake: clock.toFake.filter((source) => source !== 'Date') });
  onTestFinished(() => void vi.useRealTimers());
}

test('it stops at once, sends nothing, and leaves the entry and its slot to others', async () => {
  const deadline = later();
  const { client, sent, problems } = taken(1, heldElsewhere(deadline));
  stopClock();
  await getRejection(client.account());
  const error = await getRejection(client.tags.create(vip));
  expect(error).toBeInstanceOf(ConflictError);
  expect(error).toMatchObject({ code: 'OPERATION_IN_FLIGHT', attempts: 0 });
  // Soon, and not only when the hold ends.
  expect(Number(error.retryAt) - Date.now()).toBeLessThanOrEqual(1_000);
  expect(error.message).toContain('in progress in another call');
  expect(JSON.parse(text())).toMatchObject({ entry: { token: 'theirs', state: 'pending', attempts: 0 } });
  expect(sent).toHaveLength(1);
  expect(problems()).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test('it stops, and keeps what the other process recorded', async () => {
  const { client, sent } = taken(1, (entry) => ({
    entry: { ...entry, state: 'applied', attempts: 1, token: 'theirs' },
  }));
  stopClock();
  await getRejection(client.account());
  const error = await getRejection(client.tags.create(vip));
  expect(error).toMatchObject({ code: 'OPERATION_IN_FLIGHT', attempts: 0 });
  expect(JSON.parse(text())).toMatchObject({ entry: { state: 'applied', attempts: 1 } });
  expect(JSON.parse(text())).not.toHaveProperty('owner');
  expect(sent).toHaveLength(1);
});

test('the outcome is unknown if an earlier attempt may have arrived', async () => {
  const { client, sent } = taken(1, heldElsewhere(later()), [lost]);
  stopClock();
  let error: Error | undefined;
  void getRejection(client.tags.create(vip)).then((thrown) => {
    error = thrown;
  });
  while (!error) await vi.advanceTimersByTimeAsync(1);
  expect(error).toBeInstanceOf(OutcomeUnknownError);
  expect(error).toMatchObject({ reason: 'OPERATION_IN_FLIGHT', attempts: 1 });
  expect(JSON.parse(text())).toMatchObject({ entry: { token: 'theirs', state: 'pending', attempts: 0 } });
  expect(sent).toHaveLength(1);
});
