import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { changeChatInput } from '../endpoints/chat-changes.ts';
import { chatReadInput } from '../endpoints/chat-read.ts';
import { errorBody, errorCatalog, errorCodes, errorMessage, languages } from './error-catalog.ts';
import { describeIssue } from './input-problems.ts';

function describeFirst({ issues: [issue] }: z.ZodError, body: unknown, language: 'en' | 'ja'): string {
  return issue === undefined ? '' : describeIssue(issue, body, language);
}

describe('the error catalog', () => {
  it.each(errorCodes)('%s has a message in each language and statuses that are errors', (code) => {
    for (const language of languages) {
      const message = errorMessage(code, language);
      expect(message).not.toBe('');
      expect(message).not.toContain('{');
      expect(errorBody.safeParse({ error: code, message }).success).toBe(true);
    }
    expect(errorMessage(code, 'en')).not.toBe(errorMessage(code, 'ja'));
    for (const status of errorCatalog[code].statuses) expect(status).toBeGreaterThanOrEqual(400);
  });
  it('adds the detail of an answer, whatever characters it has', () => {
    expect(errorMessage('INVALID_INPUT', 'en', 'name $& is odd.')).toBe('Invalid input. name $& is odd.');
    expect(errorMessage('INVALID_INPUT', 'ja', '理由。')).toBe('入力が正しくありません。理由。');
  });
});

describe('what is wrong with a body', () => {
  const operationId = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';
  const tag = (data: unknown) => ({ operationId, change: { action: 'create-tags', data } });
  const problem = (body: unknown, language: 'en' | 'ja' = 'en'): string => {
    const parsed = changeChatInput.safeParse(body);
    return parsed.success ? 'nothing' : describeFirst(parsed.error, body, language);
  };

  it.each([
    [tag({ color: 'pink' }), 'change.data.name is required.'],
    [tag({ name: 1, color: 'pink' }), 'change.data.name must be of type string.'],
    [tag({ name: '  ', color: 'pink' }), 'change.data.name must have at least 1 character.'],
    [tag({ name: 'x'.repeat(101), color: 'pink' }), 'change.data.name must have at most 100 characters.'],
    [
      tag({ name: 'x', color: 'red' }),
      'change.data.color must be one of neutral, blue, purple, brown, pink, orange, green.',
    ],
    [tag({ name: 'x', color: 'pink', size: 1 }), 'change.data has unknown fields: size.'],
    [
      { ...tag({ name: 'x', color: 'pink' }), operationId: 'x' },
      'operationId does not have the required format (a UUID, 8-4-4-4-12 hexadecimal digits).',
    ],
    [{ operationId }, 'change is required.'],
    [[], 'The body must be of type object.'],
  ])('%j: %s', (body, sentence) => {
    expect(problem(body)).toBe(sentence);
    expect(problem(body, 'ja')).not.toBe(sentence);
  });
  it('names the values that select a variant', () => {
    expect(problem({ operationId, change: { action: 'drop-tags' } })).toMatch(
      /^change\.action must be one of create-tags, .*enroll-scenario\.$/,
    );
    expect(problem({ operationId, change: {} })).toBe('change.action is required.');
  });
  it('has the path within arrays', () => {
    const friend = { accountId: operationId, userId: `U${'0'.repeat(32)}` };
    const guard = { expectedRevision: '0'.repeat(64), expectedLabel: 'Mika' };
    const change = { action: 'set-friend-tags', ...friend, ...guard, tagIds: [operationId, 5] };
    expect(problem({ operationId, change })).toBe('change.tagIds[1] must be of type string.');
  });
  it('describes bodies of several types', () => {
    for (const body of [null, 'x', 1, undefined, []]) {
      const parsed = chatReadInput.safeParse(body);
      expect(parsed.success).toBe(false);
      if (!parsed.success) expect(describeFirst(parsed.error, body, 'en')).toMatch(/\.$/);
    }
  });
});
