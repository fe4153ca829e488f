import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { describeIssue } from './input-problems.ts';

function describeFirst({ issues: [issue] }: z.ZodError, body: unknown, language: 'en' | 'ja'): string {
  return issue === undefined ? '' : describeIssue(issue, body, language);
}

function problem(schema: z.ZodType, value: unknown, language: 'en' | 'ja' = 'en'): string {
  const body = { field: value };
  const parsed = z.object({ field: schema }).safeParse(body);
  return parsed.success ? 'valid' : describeFirst(parsed.error, body, language);
}

describe('the message about an invalid field', () => {
  it.each<[schema: z.ZodType, value: unknown, english: string, japanese: string]>([
    [
      z.string().min(1),
      '',
      'field must have at least 1 character.',
      'field: 1文字以上でなければなりません。',
    ],
    [
      z.string().min(2),
      'x',
      'field must have at least 2 characters.',
      'field: 2文字以上でなければなりません。',
    ],
    [
      z.string().max(0),
      'x',
      'field must have at most 0 characters.',
      'field: 0文字以下でなければなりません。',
    ],
    [
      z.string().max(1),
      'xy',
      'field must have at most 1 character.',
      'field: 1文字以下でなければなりません。',
    ],
    [
      z.array(z.string()).min(1),
      [],
      'field must have at least 1 item.',
      'field: 1件以上でなければなりません。',
    ],
    [
      z.array(z.string()).max(3),
      ['', '', '', ''],
      'field must have at most 3 items.',
      'field: 3件以下でなければなりません。',
    ],
    [z.number().min(1), 0, 'field must be at least 1.', 'field: 1以上でなければなりません。'],
    [z.number().max(500), 501, 'field must be at most 500.', 'field: 500以下でなければなりません。'],
    [z.enum(['a', 'b']), 'c', 'field must be one of a, b.', 'field: a, bのいずれかでなければなりません。'],
    [
      z.enum(['a', 'b']),
      undefined,
      'field is required and must be one of a, b.',
      'field: 必須で、a, bのいずれかでなければなりません。',
    ],
    [z.literal(1), undefined, 'field is required and must be 1.', 'field: 必須で、1でなければなりません。'],
    [z.literal(1), 2, 'field must be 1.', 'field: 1でなければなりません。'],
    [z.int(), 0.5, 'field must be an integer.', 'field: 整数でなければなりません。'],
    [z.string(), 1, 'field must be of type string.', 'field: string型でなければなりません。'],
  ])('%#: %j is rejected', (schema, value, english, japanese) => {
    expect(problem(schema, value)).toBe(english);
    expect(problem(schema, value, 'ja')).toBe(japanese);
  });

  it('names the whole document in the words of the caller', () => {
    const parsed = z.strictObject({}).safeParse({ extra: 1 });
    const [issue] = parsed.error?.issues ?? [];
    expect(issue && describeIssue(issue, { extra: 1 }, 'en', 'The seed')).toBe(
      'The seed has unknown fields: extra.',
    );
  });
});
