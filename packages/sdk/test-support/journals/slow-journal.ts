import type { Journal } from '../../src/journal/journal.ts';
import { memoryJournal } from '../../src/journal/memory.ts';

export type JournalMethod = keyof Journal &
  ('add' | 'get' | 'claim' | 'settle' | 'remove' | 'list' | 'stats');

/** A journal with one method that does not answer before `answer` is called. */
export function slow(method: JournalMethod, journal: Journal = memoryJournal()) {
  let answer = (): void => undefined;
  const isOver = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const work = journal[method] as (...args: readonly unknown[]) => unknown;
  const wait = async (...args: readonly unknown[]): Promise<unknown> => {
    await isOver;
    return work(...args);
  };
  return { journal, answer, slowed: { ...journal, [method]: wait } as Journal };
}
