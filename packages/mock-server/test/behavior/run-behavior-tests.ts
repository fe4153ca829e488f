import { afterAll, afterEach, beforeAll } from 'vitest';
import type { MockOptions } from '../../src/index.ts';
import type { ServedMock } from '../../test-support/adapters.ts';
import { Caller } from '../../test-support/caller.ts';
import type { MockUnderTest } from '../../test-support/mock-under-test.ts';
import { accountTests } from './account.ts';
import { auditTests } from './audit.ts';
import { authenticationTests } from './authentication.ts';
import { configurationChangesTests } from './configuration-changes.ts';
import { errorsTests } from './errors.ts';
import { faultsTests } from './faults.ts';
import { friendChangesTests } from './friend-changes.ts';
import { guardsTests } from './guards.ts';
import { keywordsTests } from './keywords.ts';
import { messagesTests } from './messages.ts';
import { operationsTests } from './operations.ts';
import { readsTests } from './reads.ts';
import { referencesTests } from './references.ts';
import { studioTests } from './studio.ts';

/** Defines the tests of what every answer is, through one adapter. */
export function runBehaviorTests(open: (options: MockOptions) => Promise<ServedMock>): void {
  let served: ServedMock;
  let now = Date.parse('2026-04-01T12:00:00.000Z');

  beforeAll(async () => {
    served = await open({ now: () => now, sleep: async () => {} });
  });
  afterAll(() => served.close());
  // Each test starts in a new minute, with the state of the seed.
  afterEach(() => {
    now += 61_000;
    served.mock.reset();
  });

  const subject: MockUnderTest = {
    get mock() {
      return served.mock;
    },
    get caller() {
      return new Caller(served);
    },
    pass: (milliseconds) => {
      now += milliseconds;
    },
  };

  authenticationTests(subject);
  accountTests(subject);
  keywordsTests(subject);
  readsTests(subject);
  configurationChangesTests(subject);
  guardsTests(subject);
  referencesTests(subject);
  friendChangesTests(subject);
  auditTests(subject);
  operationsTests(subject);
  studioTests(subject);
  errorsTests(subject);
  messagesTests(subject);
  faultsTests(subject);
}
