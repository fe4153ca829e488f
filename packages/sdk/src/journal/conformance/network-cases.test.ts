import { describe, expect, test } from 'vitest';
import { createSoundJournal } from '../../../test-support/journals/flawed-journal.ts';
import {
  createRemoteJournal,
  lost,
  type Network,
  send,
} from '../../../test-support/journals/remote-journal.ts';
import type { Journal } from '../journal.ts';
import { memoryJournal } from '../memory.ts';
import { createClockCases } from './clock-cases.ts';
import { type ConformanceOptions, journalConformance } from './journal-conformance.ts';

/* The cases of the conformance suite for wrong clocks, lost replies and a store out of reach, and what breaks each. */

type Overrides = (remote: Journal, store: Journal, network: Network) => Partial<Journal>;

/** A journal in front of a remote store. It repeats each call once, and cleans up later what it could not do. */
function createSuite(createOverrides: Overrides = () => ({})) {
  const networks = new Map<Journal, Network>();
  const make = (): Journal => {
    const store = createSoundJournal();
    const network: Network = { isCut: false, isReplyLost: false };
    const remote = createRemoteJournal(store, network, { repeats: true });
    const journal = { ...remote, ...createOverrides(remote, store, network) };
    networks.set(journal, network);
    return journal;
  };
  const at = (journal: Journal): Network => networks.get(journal) ?? { isCut: false, isReplyLost: false };
  const options: ConformanceOptions = {
    loseReply: (journal) => {
      at(journal).isReplyLost = true;
    },
    partition: (journal) => {
      at(journal).isCut = true;
      return () => {
        at(journal).isCut = false;
      };
    },
  };
  const usual = new Set(journalConformance(make).map(({ name }) => name));
  return journalConformance(make, options).filter(({ name }) => !usual.has(name));
}

describe('a sound journal in front of a remote store', () => {
  test.each(createSuite())('$name', ({ run }) => run());
});

const flaws: readonly [rule: string, flaw: string, createOverrides: Overrides, says: RegExp][] = [
  [
    'adds an entry once although the reply is lost, or keeps nothing',
    'an addition that is not idempotent',
    (remote, store) => ({
      add: async (entry) => ((await store.get(entry)) ? false : remote.add({ ...entry })),
      claim: remote.claim,
    }),
    /^add again: expected true, got false$/,
  ],
  [
    'adds an entry once although the reply is lost, or keeps nothing',
    'an addition that rejects and leaves the entry',
    (_remote, store, network) => ({ add: (entry) => send(network, () => store.add(entry)) }),
    /^get: expected undefined, got /,
  ],
  [
    'claims an entry although the reply is lost, or lets go of it',
    'a claim that rejects and holds the entry',
    (_remote, store, network) => ({ claim: (key, hold) => send(network, () => store.claim(key, hold)) }),
    /^claim of another call: expected .*"token":"next".*, got \{"isHeld":true\}$/,
  ],
  [
    'settles an entry although the reply is lost, or lets go of it',
    'a settlement that forgets what it did',
    (remote, store) => ({
      settle: async (entry) => {
        const before = await store.get(entry);
        if (before?.state === 'applied') return false;
        return remote.settle({ ...entry, state: 'pending' });
      },
    }),
    /^state: expected "applied", got "pending"$/,
  ],
  [
    'removes an entry although the reply is lost',
    'a removal that is given up',
    (remote, store) => ({
      remove: async (key, token) => {
        const before = await store.get(key);
        const isGone = await remote.remove(key, token);
        if (before && token) await store.add(before);
        return isGone;
      },
    }),
    /^get: expected undefined, got /,
  ],
  [
    'rejects every call while its store is out of reach, and adds nothing later',
    'an addition that waits for the store',
    (remote, store, network) => ({
      add: async (entry) => {
        if (!network.isCut) return remote.add(entry);
        void Promise.resolve().then(() => store.add(entry));
        return lost();
      },
    }),
    /^get of what could not be added: expected undefined, got /,
  ],
  [
    'rejects every call while its store is out of reach, and adds nothing later',
    'a read from a cache',
    (_remote, store) => ({ get: store.get }),
    /^get: expected it to reject, got /,
  ],
  [
    'lets another call continue an entry whose outcome could not be recorded',
    'a settlement that fails and keeps the hold',
    (_remote, store, network) => ({ settle: (entry) => send(network, () => store.settle(entry)) }),
    /^claim: expected .*, got undefined$/,
  ],
  [
    'lets go of each of several entries, and leaves nothing to send, if no outcome could be recorded',
    'a settlement that forgets what it could not record while it still has another to clean up after',
    (remote, store, network) => {
      let isCleaning = false;
      return {
        settle(entry) {
          if (network.isCut && isCleaning) return lost();
          isCleaning = true;
          return remote.settle(entry);
        },
        get: (key) => store.get(key),
      };
    },
    /^entry 2, abandoned: expected nothing to be sent, got \{/,
  ],
];

describe('the conformance suite', () => {
  test.each(flaws)('"%s" is broken by %s', async (rule, _flaw, createOverrides, says) => {
    const found = createSuite(createOverrides).find(({ name }) => name === rule);
    await expect(found?.run()).rejects.toThrow(says);
  });

  test('has a flaw for each case of the network', () => {
    const rules = new Set(flaws.map(([rule]) => rule));
    expect([...rules].sort()).toEqual(
      createSuite()
        .map(({ name }) => name)
        .sort(),
    );
  });

  test.each([
    ['behind', 'holder has a clock'],
    ['ahead', 'machine whose clock is'],
  ])('finds a hold that is measured by a clock that is ten minutes %s', async (than, whose) => {
    const setClock = (ms: number) => {
      const { now: real } = Date;
      Date.now = () => real() + ms;
      return () => {
        Date.now = real;
      };
    };
    const journal = createSoundJournal();
    const byClock: Journal = {
      ...journal,
      claim(key, hold) {
        const known = journal.get(key);
        if (known && Date.parse(known.deadline) < Date.now()) journal.settle(known);
        return journal.claim(key, hold);
      },
    };
    for (const [name, check] of createClockCases(setClock)) {
      const isBroken = name.includes(than) && name.includes(whose);
      if (isBroken) await expect(check(byClock)).rejects.toThrow(/^claim by the (right|wrong) clock: /);
      await check(memoryJournal());
    }
  });
});
