import type { ErrorMeaning } from '@orgchat/sdk';
import { expect, test } from 'vitest';
import { CliError } from '../../errors/cli-error.ts';
import { type ExitCode, exitCodes } from '../../errors/exit-codes.ts';
import type { Step } from '../plan/plan-schema.ts';
import { getApplyResult } from './apply-result.ts';
import type { StepResults } from './send-step.ts';

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
const failure = (exit: ExitCode, code: string, meaning?: ErrorMeaning) =>
  new CliError('', { code, exit, hint: '', meaning });
const stale = failure(exitCodes.conflict, 'STALE_REVISION');
const gone = failure(exitCodes.notFound, 'NOT_FOUND');
const noRuntime = failure(exitCodes.notFound, 'NO_RUNTIME', 'runtimeUnavailable');
const lost = failure(exitCodes.unknown, 'OUTCOME_UNKNOWN');
const elsewhere = failure(exitCodes.conflict, 'OPERATION_IN_FLIGHT');
/** The server may have the same code for a conflict of its own. */
const sameCodeFromServer = new CliError('', {
  code: 'OPERATION_IN_FLIGHT',
  exit: exitCodes.conflict,
  hint: '',
  extra: { status: 409 },
});
const limited = failure(exitCodes.limited, 'RATE_LIMITED');

const result = (done: number, failures: readonly CliError[], left: number): StepResults => ({
  done: Array.from({ length: done }, (_, n) => ({ step: step(`done ${n}`), made })),
  failed: failures.map((one) => ({ step: step('failed'), failure: one })),
  notStarted: Array.from({ length: left }, (_, n) => step(`left ${n}`)),
});

test.each([
  ['all done', result(2, [], 0), 0, 'finished'],
  ['Ctrl-C midway', result(1, [], 1), 7, 'resumable'],
  ['a lost answer', result(1, [lost], 1), 7, 'resumable'],
  ['a conflict', result(1, [stale], 1), 5, 'finished'],
  ['a record that is gone', result(1, [gone], 0), 5, 'finished'],
  ['a conflict beside a lost answer', result(1, [stale, lost], 1), 7, 'unsettled'],
  ['a step that another process has', result(0, [elsewhere], 1), 5, 'resumable'],
  ['a conflict beside a step that another process has', result(0, [elsewhere, stale], 1), 5, 'finished'],
  ['a conflict that the server names as another process', result(0, [sameCodeFromServer], 1), 5, 'finished'],
  ['a limit before anything was done', result(0, [limited], 3), 9, 'finished'],
  ['a limit midway', result(1, [limited], 3), 7, 'resumable'],
  ['a conflict beside a limit', result(1, [limited, stale], 3), 5, 'finished'],
  ['a runtime that is away midway', result(1, [noRuntime], 3), 7, 'resumable'],
  ['a runtime that is away from the start', result(0, [noRuntime], 3), 6, 'finished'],
] as const)('after %s', (_what, applied, exit, plan) => {
  expect(getApplyResult(applied)).toEqual({ exit, plan });
});

test('a plan that an earlier run began is kept if this run began no step', () => {
  expect(getApplyResult(result(0, [], 3))).toEqual({ exit: 7, plan: 'finished' });
  expect(getApplyResult(result(0, [], 3), true)).toEqual({ exit: 7, plan: 'resumable' });
});
