import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type Change,
  createSuite,
  noCheck,
  otherAnswers,
  Rejection,
} from '../../test-support/journals/conformance-suite.ts';

/*
 * Every case of the conformance suite runs against a sound journal, whose answers are then made wrong, one at a time.
 * The case has to say which call answered wrongly.
 */

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** The part of an error that names the call. */
const toLabel = (error: unknown): string => String((error as Error).message).replace(/: expected .*/s, '');

/** What a case says of wrong answers, each once, in the order of its calls. */
async function findLabels(name: string, repeats: boolean): Promise<readonly string[]> {
  const { state, cases } = createSuite(repeats, noCheck);
  const found = cases.find((one) => one.name === name);
  const run = async (change?: Change): Promise<unknown> => {
    state.change = change;
    state.calls = [];
    return found?.run().then(
      () => undefined,
      (error: unknown) => error,
    );
  };
  expect(await run()).toBeUndefined();
  const labels = new Set<string>();
  for (const [index, method] of [...state.calls].entries())
    for (const which of otherAnswers[method].keys()) {
      const error = await run({ nth: index + 1, which });
      if (error !== undefined && !(error instanceof Rejection)) labels.add(toLabel(error));
    }
  return [...labels];
}

/** Each case, and what it says of wrong answers, in the order of its calls. */
const checkedAnswers: readonly (readonly [name: string, labels: readonly string[]])[] = [
  ['keeps an entry as it was given, byte for byte', ['add', 'get', 'list']],
  [
    'does not keep a second entry under a known key',
    ['second add', 'the first stays', 'add of what is settled', 'what is settled stays'],
  ],
  ['lets one of many simultaneous additions succeed', ['additions that succeeded']],
  ['keeps targets apart', ['here', 'there, under the same id', 'list of here', 'remove there', 'here stays']],
  [
    'knows nothing of what was never added or was removed',
    [
      'get',
      'claim',
      'remove',
      'remove after add',
      'settle after remove',
      'a settled entry that was removed stays removed',
    ],
  ],
  ['keeps why an operation failed and what a keyword write answered', ['result', 'error']],
  [
    'holds an entry from add to settle',
    [
      'claim while held',
      'settle',
      'state after settle',
      'attempts after settle',
      'claim after',
      'second claim',
    ],
  ],
  [
    'holds a settled entry from claim until it is settled again or removed',
    ['claim', 'second claim', 'claim after settle', 'remove', 'add after remove', 'claim of the new one'],
  ],
  ['gives an entry to one of many simultaneous claims', ['claims that succeeded']],
  ['says until when an entry is held, if it knows', ['held until']],
  [
    'refuses to settle or remove an entry under a token that no longer holds it',
    [
      'settle under the first token',
      'remove under the first token',
      'get',
      'claim while held',
      'settle under the second token',
      'settle after it was settled',
      'state',
      'remove under the second token',
      'get after remove',
    ],
  ],
  [
    'answers a call that is repeated after a lost reply as the first time',
    [
      'add again',
      'settle again',
      'get',
      'claim again',
      'claim with a later deadline',
      'claim under another token',
      'settle of what was claimed twice',
    ],
  ],
  ['lists only open entries on request', ['open entries']],
  [
    'keeps that the server knows an intent with other input, and counts such an entry as settled',
    ['entry', 'open entries', 'entries'],
  ],
  ['lists in pages that neither repeat nor omit an entry', ['ids of all pages']],
  // Not a method that every journal has: `list-cases.test.ts` makes it wrong.
  ['counts its entries by state, if it has `stats`', []],
  ['lists oldest first, whatever the state', ['order']],
  [
    'keeps when an operation is sent again at the earliest, and how often it was',
    [
      'settle',
      'get: repeats',
      'list: repeats',
      'claim: repeats',
      'get after it was settled unchanged: repeats',
    ],
  ],
  ['replaces the next attempt of an operation with every settlement', ['settle', 'get: repeats']],
  [
    'keeps nothing of an entry whose addition fails',
    ['add', 'get', 'list', 'add again', 'claim of what was added again'],
  ],
  ['releases an entry whose settlement fails, and keeps it open', ['settle', 'claim', 'get after settle']],
  ['leaves nothing to send if settling a refused or unsent entry fails', ['settle', 'refused', 'abandoned']],
  [
    'gives an entry whose hold has ended to another claim, and refuses the late holder',
    ['claim past the deadline', 'settle of the first holder', 'remove of the first holder', 'get'],
  ],
  [
    'has an entry in place for other processes as soon as add resolves',
    ['get', 'list of open entries', 'add under the same id', 'claim'],
  ],
  ['has an outcome in place for other processes as soon as settle resolves', ['get', 'claim']],
  ['has removed an entry for other processes as soon as remove resolves', ['get', 'list']],
  [
    'keeps an entry held whose holder has a clock ten minutes behind',
    ['claim by the right clock', 'held until', 'settle of the holder'],
  ],
  [
    'keeps an entry held from a machine whose clock is ten minutes behind',
    ['claim by the wrong clock', 'settle of the holder'],
  ],
  [
    'keeps an entry held whose holder has a clock ten minutes ahead',
    ['claim by the right clock', 'held until', 'settle of the holder'],
  ],
  [
    'keeps an entry held from a machine whose clock is ten minutes ahead',
    ['claim by the wrong clock', 'settle of the holder'],
  ],
  [
    'adds an entry once although the reply is lost, or keeps nothing',
    ['add', 'get', 'add again', 'claim while held', 'list'],
  ],
  ['claims an entry although the reply is lost, or lets go of it', ['claim', 'claim of another call']],
  [
    'settles an entry although the reply is lost, or lets go of it',
    ['settle', 'state', 'claim of another call'],
  ],
  ['removes an entry although the reply is lost', ['get', 'remove again']],
  [
    'rejects every call while its store is out of reach, and adds nothing later',
    ['add', 'get', 'claim', 'list', 'remove', 'get of what could not be added', 'list after the partition'],
  ],
  [
    'lets another call continue an entry whose outcome could not be recorded',
    ['settle', 'claim', 'token of the claim', 'settle under the first token'],
  ],
  [
    'lets go of each of several entries, and leaves nothing to send, if no outcome could be recorded',
    [
      'settle as unknown',
      'settle as abandoned',
      'settle as refused',
      'entry 1, unknown',
      'entry 2, abandoned',
      'entry 3, refused',
      'entry 4, unknown',
      'entry 5, abandoned',
    ],
  ],
];

test.each(checkedAnswers)('"%s" names the answer that is wrong', async (name, expected) => {
  // A journal may repeat a call whose reply was lost, or reject.
  const labels = new Set([...(await findLabels(name, true)), ...(await findLabels(name, false))]);
  expect([...labels]).toEqual(expected);
});

test('these are all the cases', () => {
  const names = createSuite(true, noCheck).cases.map(({ name }) => name);
  expect(checkedAnswers.map(([name]) => name)).toEqual(names);
});
