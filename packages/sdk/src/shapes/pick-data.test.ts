import { expect, test } from 'vitest';
import { pickData } from './pick-data.ts';

test('picks the data fields in the order of the contract', () => {
  const record = { updatedAt: 'now', color: 'pink', id: '1', label: 'VIP', name: 'VIP', revision: 'a' };
  expect(Object.entries(pickData<object>('tags', record))).toEqual([
    ['name', 'VIP'],
    ['color', 'pink'],
  ]);
});

const step = { delayValue: 1, delayUnit: 'days', sendTime: null, text: 'Hi' };
const scenario = {
  ...{ id: 's', name: 'Welcome', accountId: null, trigger: 'follow', triggerTagId: null, active: true },
  steps: [step],
};

test('leaves out what only the server adds, at every depth', () => {
  const content = [{ type: 'text', text: 'Hi', id: 'block' }];
  const condition = { type: 'tag_exists', tagId: 't', note: 'x' };
  const steps = [{ ...step, id: 'step', content, condition }];
  expect(pickData('scenarios', { ...scenario, steps })).toMatchObject({
    steps: [
      { ...step, content: [{ type: 'text', text: 'Hi' }], condition: { type: 'tag_exists', tagId: 't' } },
    ],
  });
  expect(JSON.stringify(pickData('scenarios', { ...scenario, steps }))).not.toMatch(/"(id|note)"/);
});

test.each<[string, object, string]>([
  ['a block of an unknown type', { ...step, content: [{ type: 'video', id: 'v' }] }, 'steps[0].content[0]'],
  ['a condition of an unknown type', { ...step, condition: { type: 'in_group' } }, 'steps[0].condition'],
  ['a null in a list', { ...step, content: [null] }, 'steps[0].content[0]'],
  ['a missing required field', { ...step, text: undefined }, 'steps[0].text'],
  ['a value of another type', { ...step, delayValue: '1' }, 'steps[0].delayValue'],
  ['no list where one is required', { ...step, content: {} }, 'steps[0].content'],
])('refuses %s, and names its place', (_what, odd, path) => {
  const picking = () => pickData('scenarios', { ...scenario, steps: [odd] });
  expect(picking).toThrow(expect.objectContaining({ code: 'UNEXPECTED_SHAPE' }));
  expect(picking).toThrow(path);
});
