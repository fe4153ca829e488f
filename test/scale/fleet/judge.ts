import type { RequestLogEntry } from '@orgchat/mock-server';
import type { OperationEntry } from '@orgchat/sdk';
import {
  nameOf,
  type Organization,
  organizationOf,
  organizations,
  rolledBackNameOf,
  type WorkerNote,
  wayOf,
} from './plan.ts';
import { compareNames, findOvertakings, findWorstWindow } from './verify.ts';

/** What an organization has when all workers have ended. */
export interface OrganizationState {
  /** The names of all tags. */
  readonly names: readonly string[];
  /** What the journal says of every operation. */
  readonly operations: readonly Pick<OperationEntry, 'operationId' | 'state'>[];
}

/** What is known when all workers have ended. */
export interface Evidence {
  readonly intents: number;
  readonly notes: readonly WorkerNote[];
  /** Those of the workers, and with those that finished what they had left. */
  readonly requests: { readonly paced: readonly RequestLogEntry[]; readonly all: readonly RequestLogEntry[] };
  readonly states: ReadonlyMap<Organization, OrganizationState>;
  readonly perWindow: number;
  readonly windowMs: number;
}

type Verdict = { readonly problems: readonly string[]; readonly counts: Readonly<Record<string, number>> };
type Expected = { readonly atLeast: 0 | 1; readonly atMost: 0 | 1 };

/** Decides whether a soak has shown what it should. */
export function judge(evidence: Evidence): Verdict {
  const { intents, notes, requests, states, perWindow } = evidence;
  const { paced } = requests;
  const { applied, lost, doubled, unexpected, foreign } = judgeNames(evidence);
  const { misreported, journaled } = judgeReports(evidence);
  const { questions, compared, overtakings } = judgeOrder(notes);
  const violations = notes.flatMap((note) => (note.type === 'violation' ? [note.what] : []));
  const { worst, limited } = judgePace(evidence);
  const sum = (what: string, list: readonly string[]): string[] =>
    list.length > 0 ? [`${list.length} ${what}: ${list.slice(0, 5).join(', ')}`] : [];
  const problems = [
    ...sum('lost', lost),
    ...sum('doubled', doubled),
    ...sum('misreported', misreported),
    ...sum('in the wrong organization', foreign),
    ...sum('rolled back, and applied', unexpected),
    ...(worst > perWindow ? [`a window had ${worst} requests, and ${perWindow} are allowed`] : []),
    ...(limited > 0 ? [`the mock refused ${limited} requests by its limit`] : []),
    ...sum('overtaken', overtakings),
    ...sum('violations', violations),
  ];
  const counts = {
    ...{ intents, organizations: states.size, applied, lost: lost.length, doubled: doubled.length },
    misreported: misreported.length,
    'in the wrong organization': foreign.length,
    'operations in the journals': journaled,
    requests: paced.length,
    'requests hit by a fault': paced.filter(({ faults }) => faults.length > 0).length,
    'requests with a revoked key': paced.filter(({ status }) => status === 401).length,
    'in the fullest window': worst,
    'refused by the limit': limited,
    'questions about places': questions,
    'places compared': compared,
    overtaken: overtakings.length,
  };
  return { problems, counts };
}

const findDone = (notes: readonly WorkerNote[]): ReadonlySet<number> =>
  new Set(notes.flatMap((note) => (note.type === 'done' ? [note.intent] : [])));

/** Compares the tags of each organization with the intents that belong to it. */
function judgeNames({ intents, notes, states }: Evidence) {
  const isDone = findDone(notes);
  const found = {
    ...{ lost: [] as string[], doubled: [] as string[], unexpected: [] as string[], foreign: [] as string[] },
    applied: 0,
  };
  for (const [organization, { names }] of states) {
    const expected = new Map<string, Expected>();
    for (let intent = 0; intent < intents; intent++) {
      if (organizationOf(intent) !== organization) continue;
      // Without an intent, nobody repeats a call that failed before it was recorded.
      const isCertain = wayOf(intent) !== 'without an intent' || isDone.has(intent);
      expected.set(nameOf(intent), { atLeast: isCertain ? 1 : 0, atMost: 1 });
      expected.set(rolledBackNameOf(intent), { atLeast: 0, atMost: 0 });
    }
    const { lost, doubled, unexpected } = compareNames(names, expected);
    found.lost.push(...lost);
    found.doubled.push(...doubled);
    found.unexpected.push(...unexpected);
    found.foreign.push(...names.filter((name) => !expected.has(name)));
    found.applied += names.filter((name) => expected.has(name)).length;
  }
  return found;
}

/**
 * What calls without an intent have said that is final: nobody repeats them, and their journal has it. With an intent, a later
 * call may have applied what this one did not.
 */
const findNotApplied = (notes: readonly WorkerNote[]): ReadonlyMap<number, string> =>
  new Map(
    notes.flatMap((note) =>
      note.type === 'failed' &&
      wayOf(note.intent) === 'without an intent' &&
      note.isRecorded &&
      (note.outcome === 'abandoned' || note.outcome === 'refused')
        ? [[note.intent, note.outcome]]
        : [],
    ),
  );

/** Compares what calls and journals have said with what the server did. */
function judgeReports({ intents, notes, requests, states }: Evidence) {
  const isDone = findDone(notes);
  const notApplied = findNotApplied(notes);
  const misreported: string[] = [];
  let journaled = 0;
  for (const [organization, { names, operations }] of states) {
    const existing = new Set(names);
    for (let intent = 0; intent < intents; intent++) {
      if (organizationOf(intent) !== organization || wayOf(intent) === 'outbox') continue;
      if (isDone.has(intent) && !existing.has(nameOf(intent)))
        misreported.push(`${nameOf(intent)} as applied by its call`);
      if (notApplied.has(intent) && existing.has(nameOf(intent)))
        misreported.push(`${nameOf(intent)} as ${notApplied.get(intent)} by its call`);
    }
    const own = requests.all.filter(({ applied, keyName }) => applied && keyName === organization.id);
    const applied = new Set(own.map(({ operationId }) => operationId));
    for (const { operationId, state } of operations)
      if ((state === 'applied') !== applied.has(operationId))
        misreported.push(`${operationId} as ${state} by its journal`);
    journaled += operations.length;
  }
  return { misreported, journaled };
}

/** Finds requests that passed another one in the same line. */
function judgeOrder(notes: readonly WorkerNote[]) {
  const byLine = new Map<string, Extract<WorkerNote, { type: 'asked' }>[]>();
  for (const note of notes) {
    if (note.type !== 'asked') continue;
    const questions = byLine.get(note.line) ?? [];
    questions.push(note);
    byLine.set(note.line, questions);
  }
  const found = { questions: 0, compared: 0, overtakings: [] as string[] };
  for (const questions of byLine.values()) {
    const { found: overtakings, compared } = findOvertakings(questions);
    found.questions += questions.length;
    found.compared += compared;
    found.overtakings.push(...overtakings);
  }
  return found;
}

/** Finds the fullest window of any key. What the mock refuses by its limit it does not count. */
function judgePace({ requests, windowMs }: Evidence): { worst: number; limited: number } {
  const counted = requests.paced.filter(({ status }) => status !== 429);
  const worst = organizations.map(({ id }) => {
    const own = counted.filter(({ keyName }) => keyName === id);
    return findWorstWindow(
      own.map(({ receivedAt }) => Date.parse(receivedAt)),
      windowMs,
    );
  });
  return { worst: Math.max(...worst), limited: requests.paced.length - counted.length };
}
