import type { CodeMeaning } from '@orgchat/sdk';
import { expect, test } from 'vitest';
import { type ExitCode, exitCodes } from '../../exit-codes.ts';
import { Failure } from '../../failure.ts';
import type { Step } from '../plan/document.ts';
import { endingOf } from './outcome.ts';
import type { Applied } from './run.ts';

const step = (key: string): Step => ({
  key,
  operationId: key,
  action: 'create',
  resource: 'tags',
  label: key,
  origin: 'file',
  fields: [],
});
const made = { id: 'x', revision: 'x', operationId: 'x', replayed: false, data: {} };
const failure = (exit: ExitCode, code: string, meaning?: CodeMeaning) =>
  new Failure('', { code, exit, hint: '', meaning });
const stale = failure(exitCodes.conflict, 'STALE_REVISION');
const gone = failure(exitCodes.notFound, 'NOT_FOUND');
const noRuntime = failure(exitCodes.notFound, 'NO_RUNTIME', 'runtimeUnavailable');
const lost = failure(exitCodes.unknown, 'OUTCOME_UNKNOWN');
const elsewhere = failure(exitCodes.conflict, 'OPERATION_IN_FLIGHT');
const limited = failure(exitCodes.limited, 'RATE_LIMITED');

const result = (done: number, failures: readonly Failure[], left: number): Applied => ({
  done: Array.from({ length: done }, (_, n) => ({ step: step(`done ${n}`), made })),
  failed: failures.map((one) => ({ step: step('failed'), failure: one })),
  left: Array.from({ length: left }, (_, n) => step(`left ${n}`)),
});

test.each([
  ['all done', result(2, [], 0), 0, 'over'],
  ['Ctrl-C midway', result(1, [], 1), 7, 'goesOn'],
  ['a lost answer', result(1, [lost], 1), 7, 'goesOn'],
  ['a conflict', result(1, [stale], 1), 5, 'over'],
  ['a record that is gone', result(1, [gone], 0), 5, 'over'],
  ['a conflict beside a lost answer', result(1, [stale, lost], 1), 7, 'open'],
  ['a step that another process has', result(0, [elsewhere], 1), 5, 'goesOn'],
  ['a conflict beside a step that another process has', result(0, [elsewhere, stale], 1), 5, 'over'],
  ['a limit before anything was done', result(0, [limited], 3), 9, 'over'],
  ['a limit midway', result(1, [limited], 3), 7, 'goesOn'],
  ['a conflict beside a limit', result(1, [limited, stale], 3), 5, 'over'],
  ['a runtime that is away midway', result(1, [noRuntime], 3), 7, 'goesOn'],
  ['a runtime that is away from the start', result(0, [noRuntime], 3), 6, 'over'],
] as const)('after %s', (_what, applied, exit, plan) => {
  expect(endingOf(applied)).toEqual({ exit, plan });
});
