import { afterAll, afterEach, beforeAll } from 'vitest';
import type { MockOptions } from '../../src/index.ts';
import { Caller } from '../caller.ts';
import type { Door } from '../doors.ts';
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

/** The whole black-box suite, through one door. */
export function suiteThrough(open: (options: MockOptions) => Promise<Door>): void {
  let door: Door;
  let now = Date.parse('2026-04-01T12:00:00.000Z');

  beforeAll(async () => {
    door = await open({ now: () => now, sleep: async () => {} });
  });
  afterAll(() => door.close());
  // Each test begins in a minute of its own, in a world as the seed has it.
  afterEach(() => {
    now += 61_000;
    door.mock.reset();
  });

  const subject: Subject = {
    get mock() {
      return door.mock;
    },
    get caller() {
      return new Caller(door);
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
