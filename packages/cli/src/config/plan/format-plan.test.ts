import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Data } from '../../resources/fields.ts';
import type { Organization } from '../organization.ts';
import { compare, createFieldChanges } from './compare-data.ts';
import { collectNames, formatPlan } from './format-plan.ts';
import type { Plan, Step } from './plan-schema.ts';

beforeEach(() => vi.stubEnv('NO_COLOR', '1'));
afterEach(() => vi.unstubAllEnvs());

const begun = { key: '1', resource: 'templates', label: 'Greeting', origin: 'file' } as const;

function shown(step: Step, plan: Partial<Plan> = {}): string[] {
  const whole: Plan = {
    ...{ format: 'orgchat-plan', version: 2, baseUrl: '', organizationId: '', file: null, createdAt: '' },
    ...{ base: null, resources: ['templates'], unchanged: [], unmanaged: [], gone: [], warnings: [] },
    steps: [step],
    ...plan,
  };
  const names = new Map([
    ['0b5e1c1e-0000-4000-8000-000000000001', 'VIP'],
    ['step:2', 'Fresh'],
  ]);
  return formatPlan(whole, (id) => names.get(id), 'stdout').split('\n');
}

const created = (data: Data): string[] => {
  const fields = createFieldChanges(data, 'file', (value) => ({ from: null, to: value }));
  return shown({ ...begun, action: 'create', data, fields });
};
const updated = (from: Data, to: Data): string[] =>
  shown({ ...begun, action: 'update', data: to, fields: compare('templates', from, to, undefined) });

test('a create shows every field that is sent', () => {
  const data = {
    name: 'Greeting',
    triggerTagId: '0b5e1c1e-0000-4000-8000-000000000001',
    tagIds: ['step:2'],
    steps: [{ delayValue: 1, text: 'Good morning.\nHow are you?', condition: null }],
    text: 'step:2',
  };
  expect(created(data).slice(1, 10)).toEqual([
    '  + Greeting',
    '      name: "Greeting"',
    '      triggerTagId: "VIP"',
    '      tagIds: ["Fresh"]',
    '      steps[0].delayValue: 1',
    '      steps[0].text:',
    '        | Good morning.',
    '        | How are you?',
    '      steps[0].condition: nothing',
    // A text is shown as it is sent, whatever it looks like.
  ]);
  expect(created(data)).toContain('      text: "step:2"');
});

test('a reference to a record that the plan renames has the name of the file', () => {
  const [one, other] = ['0b5e1c1e-0000-4000-8000-000000000001', '0b5e1c1e-0000-4000-8000-000000000002'];
  const tag = { id: one, label: 'VIP', revision: '', expectedLabel: 'VIP', data: {} };
  const records = {
    tags: [tag, { ...tag, id: other, label: 'Trial' }],
  } as unknown as Organization['records'];
  const rename = { ...begun, action: 'update', resource: 'tags', fields: [] } as const;
  const findName = collectNames(
    {
      steps: [
        { ...rename, id: one, label: 'Trial' },
        { ...rename, id: other, label: 'VIP' },
      ],
    } as unknown as Plan,
    { accounts: [], records } as unknown as Organization,
  );
  expect([findName(one), findName(other)]).toEqual(['Trial', 'VIP']);
});

test('nothing of a long text is cut that is created', () => {
  const text = `${'Lorem ipsum '.repeat(400)}END`;
  expect(created({ text }).join('\n')).toContain(JSON.stringify(text));
});

test('of a long line the difference is shown, with some characters around it', () => {
  const text = 'Lorem ipsum dolor sit amet '.repeat(40);
  const lines = updated({ text: `${text}yes, do.` }, { text: `${text}no, stop.` });
  expect(lines.slice(2, 5)).toEqual([
    '      text:',
    expect.stringMatching(/^ {8}- "….{30,60}yes, do\."$/),
    expect.stringMatching(/^ {8}\+ "….{30,60}no, stop\."$/),
  ]);
});

test('of a text of many lines the lines that differ are shown, with some lines around them', () => {
  const lines = Array.from({ length: 20 }, (_, number) => `line ${number}`);
  const text = updated({ text: lines.join('\n') }, { text: lines.with(10, 'changed').join('\n') });
  expect(text.slice(2, -3)).toEqual([
    '      text:',
    '          … 7 unchanged lines',
    ...[7, 8, 9].map((number) => `          | line ${number}`),
    '        - | line 10',
    '        + | changed',
    ...[11, 12, 13].map((number) => `          | line ${number}`),
    '          … 6 unchanged lines',
  ]);
});

test('an item that is removed from a list is one removal, with all of it', () => {
  const step = (text: string) => ({ delayValue: 1, text });
  const lines = updated({ steps: ['a', 'b', 'c'].map(step) }, { steps: ['a', 'c'].map(step) });
  expect(lines.slice(2, -3)).toEqual(['        - steps[1].delayValue: 1', '        - steps[1].text: "b"']);
});

test('a deletion is one line, although the step has the fields that are lost', () => {
  const fields = createFieldChanges({ text: 'Hello' }, 'file', (value) => ({ from: value, to: null }));
  const lines = shown({ ...begun, action: 'delete', fields });
  expect(lines.slice(0, 3)).toEqual(['templates', '  - Greeting   (removed from the file)', '']);
});

test('what others wrote cannot steer the terminal, nor pass for another line', () => {
  const evil = '\u001b[2K\r\u202eevil\n~ Innocent';
  const all = [...created({ name: evil, text: evil }), ...updated({ text: 'a' }, { text: evil })].join('\n');
  expect(all.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  expect(all).toMatch(/^ *\| ~ Innocent$/m);
  expect(all).not.toMatch(/^ *~ Innocent/m);
});

test('records that are not in the file are counted, and listed if asked', () => {
  const unmanaged: Plan['unmanaged'] = [
    { resource: 'templates', id: 'x', label: 'Other', origin: 'unknown' },
  ];
  const step: Step = { ...begun, action: 'delete', fields: [] };
  const counted = shown(step, { unmanaged });
  expect(counted.at(-2)).toContain(
    '1 in the organization is not in the file and stays (list it with --show-unmanaged)',
  );
  expect(counted.join('\n')).not.toContain('Other');
});
