import { createMock } from '@orgchat/mock-server';
import { expect, test } from 'vitest';
import type { FaultInput } from '../../control-api/types.ts';
import { effectNames, emptyForm, presets, toFault } from './fault-form.ts';

const arm = (fault: object) => createMock().faults.arm(fault as FaultInput);

test.each(effectNames)('the form of %s is a fault that the mock accepts', (effect) => {
  const fault = toFault({ ...emptyForm, effect, undeclared: true });
  expect(arm(fault)).toMatchObject(fault);
});

test.each(presets)('the preset "$title" is accepted', ({ fault }) => {
  expect(arm(fault)).toMatchObject({ effect: fault.effect });
});

test('fields of other effects and empty fields are left out', () => {
  expect(
    toFault({ ...emptyForm, action: 'create-tags', times: 'always', after: '2', probability: '0.5' }),
  ).toEqual({
    effect: 'lose-response',
    action: 'create-tags',
    times: 'always',
    after: 2,
    probability: 0.5,
  });
});

test('delays and resolutions have the shapes of the contract', () => {
  const delay = { ...emptyForm, effect: 'delay', delayMs: '100', applied: false } as const;
  expect(toFault(delay)).toEqual({ effect: 'delay', delayMs: 100, applied: false });
  expect(toFault({ ...delay, delayMaxMs: '500' })).toMatchObject({ delayMs: { min: 100, max: 500 } });
  const uncertain = { ...emptyForm, effect: 'uncertain', resolve: 'afterMs', answer: '502' } as const;
  expect(toFault(uncertain)).toMatchObject({ resolve: { afterMs: 2 }, answer: 502 });
});

test('what is not a number is sent, so that the mock says what is wrong', () => {
  const fault = toFault({ ...emptyForm, times: 'twice' });
  expect(fault).toMatchObject({ times: 'twice' });
  expect(() => arm(fault)).toThrow(/times must be "always" or a whole number/);
});
