import { afterAll, afterEach, beforeAll } from 'vitest';
import type { MockOptions } from '../../src/index.ts';
import type { ServedMock } from '../../test-support/adapters.ts';
import { Caller } from '../../test-support/caller.ts';
import { accountSuite } from './account.ts';
import { auditSuite } from './audit.ts';
import { authenticationSuite } from './authentication.ts';
import { configurationChangesSuite } from './configuration-changes.ts';
import { errorsSuite } from './errors.ts';
import { faultsSuite } from './faults.ts';
import { friendChangesSuite } from './friend-changes.ts';
import { guardsSuite } from './guards.ts';
import { keywordsSuite } from './keywords.ts';
import { messagesSuite } from './messages.ts';
import { operationsSuite } from './operations.ts';
import { readsSuite } from './reads.ts';
import { referencesSuite } from './references.ts';
import { studioSuite } from './studio.ts';
import type { Subject } from './subject.ts';

/** The whole black-box suite, through one served. */
export function runSuite(open: (options: MockOptions) => Promise<ServedMock>): void {
  let served: ServedMock;
  let now = Date.parse('2026-04-01T12:00:00.000Z');

  beforeAll(async () => {
    served = await open({ now: () => now, sleep: async () => {} });
  });
  afterAll(() => served.close());
  // Each test begins in a minute of its own, in a world as the seed has it.
  afterEach(() => {
    now += 61_000;
    served.mock.reset();
  });

  const subject: Subject = {
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

  authenticationSuite(subject);
  accountSuite(subject);
  keywordsSuite(subject);
  readsSuite(subject);
  configurationChangesSuite(subject);
  guardsSuite(subject);
  referencesSuite(subject);
  friendChangesSuite(subject);
  auditSuite(subject);
  operationsSuite(subject);
  studioSuite(subject);
  errorsSuite(subject);
  messagesSuite(subject);
  faultsSuite(subject);
}
