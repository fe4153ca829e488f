import { describe, expect, it, vi } from 'vitest';
import { createMock, type Mock } from '../../src/index.ts';
import { formatRequestLog } from '../../src/request-log/format-request-log.ts';
import { Trace } from '../../src/request-log/trace.ts';
import { type Answer, Caller } from '../../test-support/caller.ts';

const operationId = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
const change = (action: string, data: unknown, more: object = {}): object => ({
  operationId,
  change: { action, data },
  ...more,
});

async function refuse(path: string, body: object, headers = {}): Promise<{ mock: Mock; answer: Answer }> {
  const mock = createMock();
  const answer = await new Caller(mock).send(path, body, { headers });
  expect(answer.status).toBe(400);
  return { mock, answer };
}

const getProblems = (mock: Mock) => mock.requests.list().at(-1)?.decidedBy.problems;
const getBecause = (mock: Mock) => mock.requests.list().at(-1)?.decidedBy.because;

describe('all problems of a body', () => {
  it('are in the log, with their paths and what was meant', async () => {
    const { mock } = await refuse('/chat/changes', {
      operationId: 'x',
      change: { action: 'create-tags', data: { name: '', colour: 1 } },
      extra: 1,
    });
    const problems = getProblems(mock) ?? [];
    expect(problems.map(({ path }) => path).sort()).toEqual(
      ['change.data.color', 'change.data.colour', 'change.data.name', 'extra', 'operationId'].sort(),
    );
    expect(problems.find(({ path }) => path === 'change.data.colour')).toEqual({
      path: 'change.data.colour',
      message: 'change.data has no field colour: rename colour to color.',
      sent: '1',
      didYouMean: 'color',
    });
    expect(problems.find(({ path }) => path === 'operationId')).toEqual({
      path: 'operationId',
      message: 'operationId does not have the required format (a UUID, 8-4-4-4-12 hexadecimal digits).',
      sent: '"x"',
    });
    expect(mock.requests.list()[0]?.decidedBy.because).toBe(
      'change.data has unknown fields: colour (did you mean color?). Rename colour to color in change.data. The body has 4 more problems.',
    );
    for (const { message } of problems) expect(message).toMatch(/^\S.*\.$/);
  });

  it.each<[string, string, object, string[]]>([
    ['a misspelled field', '/chat/changes', change('create-templates', { nmae: 'a', text: 'b' }), ['name']],
    [
      'a field of a step',
      '/chat/changes',
      change('create-scenarios', {
        name: 'a',
        accountId: null,
        trigger: 'tag',
        triggerTagId: null,
        active: true,
        steps: [{ delayValue: 1, delayUnits: 'days', sendTime: null, text: 'a' }],
      }),
      ['delayUnit'],
    ],
    [
      'a field of an object that may be null',
      '/chat/changes',
      change('create-rich-menus', {
        accountId: operationId,
        name: 'a',
        chatBarText: 'b',
        size: 'large',
        template: 'c',
        areas: [{ x: 0, y: 0, width: 1, height: 1, action: { type: 'message', text: 'a', labl: 'b' } }],
        design: { style: 'bold', colour: '#000000', areas: [] },
      }),
      ['label', 'color'],
    ],
    ['a value of a list', '/chat/changes', change('create-tags', { name: 'a', color: 'purpel' }), ['purple']],
    ['an action', '/chat/changes', change('create-tag', {}), ['create-tags']],
    ['a resource', '/chat/read', { resource: 'freinds' }, ['friends']],
    ['a field of a read', '/chat/read', { resource: 'tags', offest: 1 }, ['offset']],
    ['a field of Studio', '/studio/read', { resource: 'projects', querry: 'a' }, ['query']],
  ])('name what was meant: %s', async (_what, path, body, meant) => {
    const { mock, answer } = await refuse(path, body);
    const suggested = (getProblems(mock) ?? []).flatMap(({ didYouMean }) => didYouMean ?? []);
    expect(suggested.sort()).toEqual([...meant].sort());
    for (const word of meant) expect(answer.body.message).toContain(`did you mean ${word}?`);
  });

  it.each<[string, string, object, string]>([
    ['a resource', '/chat/read', { resource: 'tag' }, '"tags"'],
    ['a value of a list', '/chat/changes', change('create-tags', { name: 'a', color: 'purpel' }), '"purple"'],
    ['an action', '/chat/changes', change('create-link', {}), '{"action":"create-links",'],
  ])('are corrected by what was meant, not by another valid value: %s', async (_what, path, body, meant) => {
    const { mock } = await refuse(path, body);
    const { because, problems } = mock.requests.list()[0]?.decidedBy ?? {};
    expect(because).toContain(`: ${meant}`);
    expect(problems?.[0]?.correction).toContain(`: ${meant}`);
  });

  it('suggest nothing for a word that is like no other, or for a field that is there already', async () => {
    const { mock } = await refuse(
      '/chat/changes',
      change('create-tags', { name: 'a', color: 'pink', zzzz: 1, colour: 2 }),
    );
    expect(getProblems(mock)?.map(({ didYouMean }) => didYouMean)).toEqual([undefined, undefined]);
  });

  it('are in the message, in the language of the request, the misspelled field first', async () => {
    const body = change('create-tags', { name: 'x', colour: 'pink' });
    const { answer } = await refuse('/chat/changes', body);
    expect(answer.body.message).toBe(
      'Invalid input. change.data has unknown fields: colour (did you mean color?). change.data.color is required and must be one of neutral, blue, purple, brown, pink, orange, green.',
    );
    expect(Object.keys(answer.body)).toEqual(['error', 'message']);
    const japanese = await refuse('/chat/changes', body, { 'Accept-Language': 'ja' });
    expect(japanese.answer.body.message).toMatch(/colour（colorのことですか？）。change\.data\.color: 必須/);
  });

  it('suggest a field for one misspelled field only', async () => {
    const { mock } = await refuse(
      '/chat/changes',
      change('create-tags', { nmae: 'a', naem: 'b', color: 'pink' }),
    );
    expect(getProblems(mock)?.map(({ didYouMean }) => didYouMean)).toEqual(['name', undefined]);
  });

  it('include that of the value of a misspelled field', async () => {
    const { mock } = await refuse('/chat/changes', change('create-tags', { name: 'a', colour: 'pnik' }));
    expect(getProblems(mock)).toEqual([
      expect.objectContaining({ path: 'change.data.colour', didYouMean: 'color' }),
      expect.objectContaining({ path: 'change.data.color', sent: '"pnik"', didYouMean: 'pink' }),
    ]);
    expect(getBecause(mock)).toMatch(/ The body has 1 more problem\.$/);
  });

  it('include those of the fields of a misspelled resource', async () => {
    const { mock } = await refuse('/chat/read', { resource: 'freinds', offest: 1, limit: 900 });
    expect(getProblems(mock)?.map(({ path }) => path)).toEqual(['resource', 'limit', 'offest']);
  });

  describe('are at most 20, and the rest is counted', () => {
    it('in the message of the answer', async () => {
      const { mock, answer } = await refuse('/sites/demo-site/keywords', { keywords: Array(50).fill('') });
      expect(answer.body.message).toMatch(/ 30 more problems\.$/);
      expect(getBecause(mock)).toMatch(/The body has 49 more problems\.$/);
    });

    it('in the log', async () => {
      const { mock } = await refuse('/sites/demo-site/keywords', { keywords: Array(50).fill('') });
      expect(getProblems(mock)).toHaveLength(20);
      expect(mock.requests.list()[0]?.decidedBy.moreProblems).toBe(30);
      expect(formatRequestLog(mock)).toMatch(/\n {4}- and 30 more$/);
    });

    it('also if they are unknown fields of one object', async () => {
      const unknown = Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`x${i}`, 1]));
      const { mock } = await refuse(
        '/chat/changes',
        change('create-tags', { name: '', color: 'pink', ...unknown }),
      );
      expect(getProblems(mock)).toHaveLength(11);
      expect(mock.requests.list()[0]?.decidedBy.moreProblems).toBe(5);
      expect(getBecause(mock)).toMatch(/The body has 6 more problems\.$/);
    });

    it('once, also beside a misspelled field', async () => {
      const count = async (fields: object) => {
        const { mock } = await refuse(
          '/chat/changes',
          change('create-forms', { ...fields, fields: Array(30).fill({}) }),
        );
        const { problems = [], moreProblems = 0 } = mock.requests.list()[0]?.decidedBy ?? {};
        return problems.length + moreProblems;
      };
      expect(await count({ nmae: 'a' })).toBe((await count({ name: 'a' })) + 1);
    });

    it('and no number is there if all are listed', async () => {
      const { mock } = await refuse('/sites/demo-site/keywords', { keywords: Array(20).fill('') });
      expect(getProblems(mock)).toHaveLength(20);
      expect(mock.requests.list()[0]?.decidedBy).not.toHaveProperty('moreProblems');
    });
  });

  it('are found once for the sentence and the list', async () => {
    const { mock } = await refuse('/chat/changes', change('create-tags', { name: 'a', colour: 'pnik' }));
    const [entry] = mock.requests.list();
    const read = vi.spyOn(Trace.prototype, 'readJson');
    expect(entry?.decidedBy.problems).toHaveLength(2);
    // One for the problems, and one for the correction.
    expect(read).toHaveBeenCalledTimes(2);
    read.mockRestore();
  });

  it('are in the report of a failed test, if there are several', async () => {
    const { mock } = await refuse('/chat/changes', change('create-tags', { name: '', colour: 'pink' }));
    expect(formatRequestLog(mock)).toContain(
      '    - change.data has no field colour: rename colour to color.',
    );
    const single = await refuse('/chat/read', { resource: 'tags', limit: 0 });
    expect(formatRequestLog(single.mock)).not.toContain('    - ');
  });

  it('do not keep what the body had', async () => {
    const long = 'x'.repeat(5_000);
    const { mock } = await refuse(
      '/chat/changes',
      change('create-tags', { name: long, [long]: 1, color: long }),
    );
    expect(JSON.stringify(getProblems(mock)).length).toBeLessThan(1_500);
  });

  it('are absent for other reasons', async () => {
    const mock = createMock();
    await new Caller(mock).send('/chat/read', undefined, { raw: 'x' });
    await new Caller(mock).read({ resource: 'tags' });
    for (const { decidedBy } of mock.requests.list()) expect('problems' in decidedBy).toBe(false);
  });
});
