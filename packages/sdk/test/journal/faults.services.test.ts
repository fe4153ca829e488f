import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unwatch } from '@orgchat/atomic-files/test-support/file-system';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClient, type OrgChatClient, OrgChatError, OutcomeUnknownError } from '../../src/index.ts';
import { fileJournal } from '../../src/journal/file/file-journal.ts';
import type { JournalEntry } from '../../src/journal/journal.ts';
import { clock } from '../../test-support/clock.ts';
import {
  breakFiles,
  type FileCalls,
  type FileFault,
  listFaults,
} from '../../test-support/journals/file-faults.ts';
import { claim } from '../../test-support/journals/journal-entries.ts';
import { type JournalScenario, journalScenarios } from '../../test-support/journals/journal-scenarios.ts';
import { mocked } from '../../test-support/mocked.ts';

/*
 * In each run, one of the calls of a file journal to the file system fails. Whatever the result of the write, its
 * process continues: later it resumes what its journal has, and repeats the write if it has an intent.
 */

const { mock, options } = mocked();
// As they are, whatever is done to the calls of a journal.
const { readdirSync, readFileSync } = fs;
/** A folder in memory, if the system has one: replacing a file on a disk waits for the disk. */
const parentFolder = fs.existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
/** Longer than a claim that could not be removed is respected, and much shorter than a call may run. */
const whileMs = 11_000;

// With the timers of the test, no slice of a cleaning begins while calls are counted, however slow the machine is.
beforeEach(() => void vi.useFakeTimers({ toFake: [...clock.toFake] }));
afterEach(() => {
  vi.useRealTimers();
  unwatch();
});

/**
 * Whether the journal has an open entry for a request when it is sent. The folders of days are not read: a cleaning may be
 * removing one of them at that moment.
 */
function isRecorded(folder: string, body: string): boolean {
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  return texts
    .map((text) => JSON.parse(text) as { entry: JournalEntry; owner?: unknown })
    .some(({ entry, owner }) => entry.body === body && owner && !/refused|abandoned/.test(entry.state));
}

const isKeywords = (operation: string | null): boolean => operation === 'addSeoKeywords';
/** What the server applied, by its own records. */
const applied = () => mock.requests.list().filter((request) => request.applied);
const wasApplied = ({ kind, operationId }: JournalEntry): boolean =>
  applied().some((one) =>
    isKeywords(one.operation) ? kind === 'keywords' : one.operationId === operationId,
  );
/** Keyword writes that may have arrived. */
const keywordsSent = () =>
  mock.requests.list().filter(({ operation, status }) => isKeywords(operation) && status !== 403).length;

/** How a call ends: with its error, or done. */
const getEnd = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'done',
    (error: unknown) => error,
  );

/** The result of a scenario in its own folder, when all files work again. */
interface Run {
  readonly calls: FileCalls;
  readonly told: unknown;
  /** What was sent without an entry. */
  readonly unrecorded: readonly string[];
  readonly folder: string;
  /** A client as another run of the program would make it. */
  begin(): OrgChatClient;
}

async function run(scenario: JournalScenario, fault?: FileFault): Promise<Run> {
  const { before, meets, act, durable, without } = scenario;
  const folder = fs.mkdtempSync(join(parentFolder, 'journal-'));
  const unrecorded: string[] = [];
  const begin = (durable = false): OrgChatClient =>
    createClient({
      ...options,
      retry: false,
      journal: fileJournal(folder, { durable }),
      async fetch(request) {
        // So that no two entries are of the same moment, and their order is the same in each run.
        vi.advanceTimersByTime(1);
        const body = await request.clone().text();
        const isWrite = /\/(changes|keywords)$/.test(request.url) && request.method === 'POST';
        if (isWrite && !isRecorded(folder, body)) unrecorded.push(body);
        return mock.fetch(request);
      },
    });
  mock.reset();
  await before?.(begin(), folder);
  meets?.();
  const calls = breakFiles(folder, fault, without);
  const told = await getEnd(act(begin(durable)));
  unwatch();
  mock.faults.disarm();
  return { calls, told, unrecorded, folder, begin };
}

/** Continues as a program does, and fails if a promise does not hold. */
async function judge(
  scenario: JournalScenario,
  { told, calls, unrecorded, folder, begin }: Run,
  where: string,
) {
  const { act, isGiven, isOpen, asks, leavesFile, times = 1 } = scenario;
  const said = told instanceof Error ? `${told.name}: ${told.message}` : told;
  const but = (what: string): string => `${where}; told ${said}; ${what}`;
  expect(calls.isEndless, but('the calls to the file system do not end')).toBe(false);
  expect(unrecorded, but('it was sent without an entry')).toEqual([]);
  if (told !== 'done' && !asks)
    expect(told, but('this is not an error of the package')).toBeInstanceOf(OrgChatError);

  const appliedWhenTold = applied().length;
  vi.advanceTimersByTime(whileMs);
  const resumed = await begin().operations.resumeAll();
  const held = resumed.filter(({ state }) => state === 'pending');
  expect(held, but('it is held, although no call is in progress')).toEqual([]);
  const isNothing = told instanceof OrgChatError && !(told instanceof OutcomeUnknownError);
  if (isNothing && !isOpen) expect(applied().length, but('resumeAll() applied it')).toBe(appliedWhenTold);

  if (isGiven) {
    const again = await getEnd(act(begin()));
    const isUnknown = again instanceof OutcomeUnknownError && keywordsSent() === 1;
    if (!isUnknown) expect(again, but('made again it fails')).toBe('done');
  }
  if (told === 'done' || isGiven)
    expect(applied().length, but('the number of times it was applied')).toBe(times);
  expect(applied().length, but('the number of times it was applied')).toBeLessThanOrEqual(Math.max(times, 1));
  expect(keywordsSent(), but('the number of times keywords were sent')).toBeLessThanOrEqual(1);

  const journal = fileJournal(folder);
  for (const entry of await begin().operations.list()) {
    if (entry.kind === 'change' || entry.state !== 'unknown')
      expect(entry.state === 'applied', but(`its entry says ${entry.state}`)).toBe(wasApplied(entry));
    expect(claim(journal, entry), but('it is held, although no call is in progress')).not.toBe('held');
  }
  const { problems } = await journal.list('of any target');
  expect(problems, but('files that cannot be used')).toHaveLength(leavesFile ? 1 : 0);
}

test.each(Object.entries(journalScenarios(mock)))('%s, and a file that fails', async (name, scenario) => {
  const sound = await run(scenario);
  if (scenario.told) expect(sound.told).toMatchObject({ code: scenario.told });
  else expect(sound.told).toBe('done');
  await judge(scenario, sound, `${name}; nothing fails`);
  fs.rmSync(sound.folder, { recursive: true });
  expect(sound.calls.made.length).toBeGreaterThan(1);
  for (const fault of listFaults(sound.calls.made)) {
    const broken = await run(scenario, fault);
    const { hit } = broken.calls;
    expect(hit, `${name}; there is no call ${fault.nth}`).toBeDefined();
    await judge(scenario, broken, `${name}; call ${fault.nth}, ${hit}, ${fault.kind}`);
    fs.rmSync(broken.folder, { recursive: true });
  }
});
