import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { Caller } from './caller.ts';
import { type Door, doors } from './doors.ts';
import { accountSuite } from './suite/account.ts';
import { authenticationSuite } from './suite/authentication.ts';
import { changesSuite } from './suite/changes.ts';
import { errorsSuite } from './suite/errors.ts';
import { faultsSuite } from './suite/faults.ts';
import { keywordsSuite } from './suite/keywords.ts';
import { operationsSuite } from './suite/operations.ts';
import { readsSuite } from './suite/reads.ts';
import { studioSuite } from './suite/studio.ts';
import type { Subject } from './suite/subject.ts';

/* One black-box suite, through three doors: HTTP, `mock.fetch` and msw must agree on every answer. */
describe.each(Object.entries(doors))('through %s', (_, open) => {
  let door: Door;
  let now = 0;

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
  now = Date.parse('2026-04-01T12:00:00.000Z');

  authenticationSuite(subject);
  accountSuite(subject);
  keywordsSuite(subject);
  readsSuite(subject);
  changesSuite(subject);
  operationsSuite(subject);
  studioSuite(subject);
  errorsSuite(subject);
  faultsSuite(subject);
});
