import type { RequestLogEntry } from '@orgchat/mock-server';
import { nameOf, rolledBackNameOf, type WorkerNote, wayOf } from './messages.ts';
import { compareNames, findOvertakings, findWorstWindow } from './verify.ts';

/** What is known when all workers have ended. */
export interface Evidence {
  readonly intents: number;
  readonly notes: readonly WorkerNote[];
  readonly requests: readonly RequestLogEntry[];
  /** The names of all tags in the end. */
  readonly names: readonly string[];
  readonly perWindow: number;
  readonly windowMs: number;
}

type Verdict = { readonly problems: readonly string[]; readonly counts: Readonly<Record<string, number>> };

/** Decides whether a soak has shown what it should. */
export function judge({ intents, notes, requests, names, perWindow, windowMs }: Evidence): Verdict {
  const isDone = new Set(notes.flatMap((note) => (note.type === 'done' ? [note.intent] : [])));
  const expected = new Map<string, { atLeast: 0 | 1; atMost: 0 | 1 }>();
  for (let intent = 0; intent < intents; intent++) {
    // Without an intent, nobody repeats a call that failed before it was recorded.
    const isCertain = wayOf(intent) !== 'without an intent' || isDone.has(intent);
    expected.set(nameOf(intent), { atLeast: isCertain ? 1 : 0, atMost: 1 });
    expected.set(rolledBackNameOf(intent), { atLeast: 0, atMost: 0 });
  }
  const { lost, doubled, unexpected } = compareNames(names, expected);
  const questions = notes.filter((note) => note.type === 'asked');
  const { found: overtakings, compared } = findOvertakings(questions);
  const violations = notes.flatMap((note) => (note.type === 'violation' ? [note.what] : []));
  // What the mock refuses by its limit it does not count.
  const counted = requests.filter(({ status }) => status !== 429);
  const worst = findWorstWindow(
    counted.map(({ receivedAt }) => Date.parse(receivedAt)),
    windowMs,
  );
  const limited = requests.length - counted.length;
  const sum = (what: string, list: readonly string[]): string[] =>
    list.length > 0 ? [`${list.length} ${what}: ${list.slice(0, 5).join(', ')}`] : [];
  const problems = [
    ...sum('lost', lost),
    ...sum('doubled', doubled),
    ...sum('rolled back, and applied', unexpected),
    ...(worst > perWindow ? [`a window had ${worst} requests, and ${perWindow} are allowed`] : []),
    ...(limited > 0 ? [`the mock refused ${limited} requests by its limit`] : []),
    ...sum('overtaken', overtakings),
    ...sum('violations', violations),
  ];
  const counts = {
    intents,
    applied: names.filter((name) => expected.has(name)).length,
    lost: lost.length,
    doubled: doubled.length,
    requests: requests.length,
    'requests hit by a fault': requests.filter(({ faults }) => faults.length > 0).length,
    'in the fullest window': worst,
    'refused by the limit': limited,
    'questions about places': questions.length,
    'places compared': compared,
    overtaken: overtakings.length,
  };
  return { problems, counts };
}
