import { expect, test } from 'vitest';
import { breakCycles } from './break-cycles.ts';
import { findRequiredSteps, type Step, toStepReference } from './plan-schema.ts';

const menu = (key: string, ...to: string[]): Step => ({
  key,
  operationId: key,
  action: 'create',
  resource: 'rich-menus',
  label: `Menu ${key}`,
  data: {
    areas: to.map((other) => ({ action: { type: 'switch', menuId: toStepReference(other), label: 'Go' } })),
  },
  origin: 'file',
  fields: [],
});

test('a menu comes after the one it switches to', () => {
  expect(breakCycles([menu('1', '2'), menu('2')]).map(({ key }) => key)).toEqual(['2', '1']);
});

test('in a cycle, one menu is created without its switch, which a second step adds', () => {
  const steps = breakCycles([menu('1', '2'), menu('2', '1'), menu('3', '3')]);
  const made = new Set<string>();
  for (const step of steps) {
    expect(findRequiredSteps(step).every((key) => made.has(key))).toBe(true);
    made.add(step.key);
  }
  expect(
    steps.filter(({ action }) => action === 'update').map(({ key, followsUp }) => [key, followsUp]),
  ).toEqual([
    ['1-follow-up', '1'],
    ['3-follow-up', '3'],
  ]);
  expect(new Set(steps.map(({ operationId }) => operationId)).size).toBe(steps.length);
});
