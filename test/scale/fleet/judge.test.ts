import type { RequestLogEntry } from '@orgchat/mock-server';
import { expect, test } from 'vitest';
import { type Evidence, judge } from './judge.ts';
import { nameOf, type Organization, organizationOf, organizations, type WorkerNote, wayOf } from './plan.ts';

/* What the judge of a soak finds, in evidence that is made up. */

const intents = 80;
const all = Array.from({ length: intents }, (_, intent) => intent);
const [own] = organizations as [Organization];
const isOwn = (intent: number): boolean => organizationOf(intent) === own;
const [withoutIntent] = all.filter((n) => isOwn(n) && wayOf(n) === 'without an intent') as [number];
const [called] = all.filter((n) => isOwn(n) && wayOf(n) === 'call') as [number];

const request = (operationId: string): RequestLogEntry =>
  ({
    keyName: own.id,
    operationId,
    applied: true,
    status: 200,
    faults: [],
    receivedAt: '2026-01-01',
  }) as never;

/** Evidence of a run in which nothing went wrong: every intent was applied once, and its call said so. */
function createEvidence(changes: {
  readonly notes?: readonly WorkerNote[];
  readonly names?: (name: string) => readonly string[];
  readonly operations?: readonly { operationId: string; state: 'applied' | 'abandoned' }[];
}): Evidence {
  const { names = (name) => [name], operations = [] } = changes;
  const notes = changes.notes ?? all.map((intent) => ({ type: 'done', intent }) as const);
  const states = organizations.map((organization) => {
    const mine = all.filter((intent) => organizationOf(intent) === organization).map(nameOf);
    return [
      organization,
      { names: mine.flatMap(names), operations: isOwnState(organization, operations) },
    ] as const;
  });
  const requests = [request('sent')];
  return {
    ...{ intents, notes, perWindow: 10, windowMs: 1_000 },
    requests: { paced: requests, all: requests },
    states: new Map(states),
  };
}
const isOwnState = <T>(organization: Organization, list: readonly T[]): readonly T[] =>
  organization === own ? list : [];

const doneBut = (intent: number, ...instead: WorkerNote[]): readonly WorkerNote[] => [
  ...all.filter((n) => n !== intent).map((n) => ({ type: 'done', intent: n }) as const),
  ...instead,
];
const failed = (
  intent: number,
  outcome: 'abandoned' | 'refused' | 'unknown',
  isRecorded = true,
): WorkerNote => ({
  ...{ type: 'failed', intent, code: 'X', outcome, isRecorded },
});
const without = (intent: number) => (name: string) => (name === nameOf(intent) ? [] : [name]);

test('a run in which nothing went wrong has no problems', () => {
  expect(judge(createEvidence({ operations: [{ operationId: 'sent', state: 'applied' }] })).problems).toEqual(
    [],
  );
});

test.each<[string, Parameters<typeof createEvidence>[0], string]>([
  ['lost', { names: without(called) }, `1 lost: ${nameOf(called)}`],
  ['doubled', { names: (name) => (name === nameOf(called) ? [name, name] : [name]) }, '1 doubled'],
  ['in the wrong organization', { names: (name) => [name, `x${name}`] }, '80 in the wrong organization'],
  [
    'misreported as applied',
    { names: without(called) },
    `1 misreported: ${nameOf(called)} as applied by its call`,
  ],
  ...(['abandoned', 'refused'] as const).map(
    (outcome) =>
      [
        `applied, and reported as ${outcome}`,
        { notes: doneBut(withoutIntent, failed(withoutIntent, outcome)) },
        `1 misreported: ${nameOf(withoutIntent)} as ${outcome} by its call`,
      ] as [string, Parameters<typeof createEvidence>[0], string],
  ),
  [
    'applied, and abandoned in the journal',
    { operations: [{ operationId: 'sent', state: 'abandoned' }] },
    '1 misreported: sent as abandoned by its journal',
  ],
  [
    'not sent, and applied in the journal',
    { operations: [{ operationId: 'other', state: 'applied' }] },
    '1 misreported: other as applied by its journal',
  ],
  [
    'a violation that a worker noted',
    { notes: [...doneBut(-1), { type: 'violation', what: 'it broke' }] },
    '1 violations: it broke',
  ],
])('%s is found', (_what, changes, problem) => {
  expect(judge(createEvidence(changes)).problems).toContainEqual(expect.stringContaining(problem));
});

test.each<[string, WorkerNote]>([
  ['unknown', failed(withoutIntent, 'unknown')],
  ['abandoned, while its journal could not record that', failed(withoutIntent, 'abandoned', false)],
])('a change without an intent that was %s may be applied later', (_what, note) => {
  expect(judge(createEvidence({ notes: doneBut(withoutIntent, note) })).problems).toEqual([]);
});
