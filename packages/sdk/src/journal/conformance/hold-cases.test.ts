import { describeFlaws, type Flaw } from '../../../test-support/journals/flawed-journal.ts';
import { holdCases } from './hold-cases.ts';

const flaws: readonly Flaw[] = [
  [
    'holds an entry from add to settle',
    'an addition that does not hold',
    (journal) => ({
      add: (entry) => {
        const isNew = journal.add(entry);
        journal.settle(entry);
        return isNew;
      },
    }),
    /^claim while held: expected \{"isHeld":true\}, got \{"attempts"/,
  ],
  [
    'holds an entry from add to settle',
    'a settlement that keeps the state',
    (journal) => ({ settle: (entry) => journal.settle({ ...entry, state: 'pending' }) }),
    /^state after settle: expected "unknown", got "pending"$/,
  ],
  [
    'holds an entry from add to settle',
    'a settlement that loses the entry',
    (journal) => ({ settle: (entry) => journal.remove(entry) }),
    /^state after settle: expected "unknown", got undefined$/,
  ],
  [
    'holds an entry from add to settle',
    'a settlement that does not count',
    (journal) => ({ settle: (entry) => journal.settle({ ...entry, attempts: 0 }) }),
    /^attempts after settle: expected 2, got 0$/,
  ],
  [
    'holds an entry from add to settle',
    'a claim that keeps the old deadline',
    (journal) => ({
      claim: (key, hold) => {
        const before = journal.get(key);
        const claim = journal.claim(key, hold);
        return claim?.entry && before ? { entry: { ...claim.entry, deadline: before.deadline } } : claim;
      },
    }),
    /^claim after: /,
  ],
  [
    'holds an entry from add to settle',
    'a claim that does not hold',
    (journal) => ({
      claim: (key, hold) => {
        const claim = journal.claim(key, hold);
        if (claim?.entry) journal.settle(claim.entry);
        return claim;
      },
    }),
    /^second claim: expected \{"isHeld":true\}, got \{"attempts"/,
  ],
  [
    'holds a settled entry from claim until it is settled again or removed',
    'a claim that leaves what is settled to everybody',
    (journal) => ({
      claim: (key, hold) => {
        const known = journal.get(key);
        return known?.state === 'refused' ? { entry: { ...known, ...hold } } : journal.claim(key, hold);
      },
    }),
    /^second claim: expected \{"isHeld":true\}/,
  ],
  [
    'gives an entry to one of many simultaneous claims',
    'a claim that goes to all who ask',
    (journal) => ({
      claim: (key, hold) => {
        const known = journal.get(key);
        return known && { entry: { ...known, ...hold } };
      },
    }),
    /^claims that succeeded: expected 1, got 20$/,
  ],
  [
    'gives an entry to one of many simultaneous claims',
    'a settlement that does not let go',
    () => ({ settle: () => true }),
    /^claims that succeeded: expected 1, got 0$/,
  ],
  [
    'says until when an entry is held, if it knows',
    'a time before the deadline',
    () => ({ claim: () => ({ heldUntil: new Date(0).toISOString() }) }),
    /^held until: expected .* or later, got 1970/,
  ],
  [
    'refuses to settle or remove an entry under a token that no longer holds it',
    'a settlement that does not look at the token',
    (journal) => ({
      settle: (entry) => {
        const token = journal.get(entry)?.token;
        return journal.settle({ ...entry, token });
      },
    }),
    /^settle under the first token: expected false, got true$/,
  ],
  [
    'refuses to settle or remove an entry under a token that no longer holds it',
    'a removal that does not look at the token',
    (journal) => ({ remove: (key) => journal.remove(key) }),
    /^remove under the first token: expected false, got true$/,
  ],
  [
    'refuses to settle or remove an entry under a token that no longer holds it',
    'a late settlement that writes and says that it did not',
    (journal) => ({
      settle: (entry) => {
        const token = journal.get(entry)?.token;
        journal.settle({ ...entry, token });
        return token === entry.token;
      },
    }),
    /^get: expected /,
  ],
  [
    'refuses to settle or remove an entry under a token that no longer holds it',
    'a late settlement that lets go of the entry',
    (journal) => ({
      settle: (entry) => {
        const now = journal.get(entry);
        if (now && now.token !== entry.token) journal.settle(now);
        return journal.settle(entry);
      },
    }),
    /^claim while held: expected \{"isHeld":true\}, got /,
  ],
  [
    'answers a call that is repeated after a lost reply as the first time',
    'an addition that does not know its own token',
    (journal) => ({ add: (entry) => journal.get(entry) === undefined && journal.add(entry) }),
    /^add again: expected true, got false$/,
  ],
  [
    'answers a call that is repeated after a lost reply as the first time',
    'a settlement that requires a hold',
    (journal) => {
      const settled = new Set<string>();
      return {
        settle: (entry) => {
          const name = `${entry.operationId} ${entry.token}`;
          return !settled.has(name) && settled.add(name) && journal.settle(entry);
        },
      };
    },
    /^settle again: expected true, got false$/,
  ],
  [
    'answers a call that is repeated after a lost reply as the first time',
    'a claim that is held up by itself',
    (journal) => ({
      claim: (key, hold) =>
        journal.get(key)?.token === hold.token ? { heldUntil: undefined } : journal.claim(key, hold),
    }),
    /^claim again: expected .*, got \{"isHeld":true\}$/,
  ],
  [
    'answers a call that is repeated after a lost reply as the first time',
    'a claim that is not renewed',
    (journal) => ({
      claim: (key, hold) => {
        const now = journal.get(key);
        return now?.token === hold.token ? { entry: now } : journal.claim(key, hold);
      },
    }),
    /^claim with a later deadline: /,
  ],
];

describeFlaws(holdCases, flaws);
