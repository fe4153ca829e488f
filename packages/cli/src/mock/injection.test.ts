import { expect, it } from 'vitest';
import { injections, parseFields, toInjectionPath } from './injection.ts';

it('has a path for everything that can be injected', () => {
  const parents: Record<string, string> = { message: 'a/b', submission: 'f', click: 'l', document: 'p' };
  expect(injections.map((what) => toInjectionPath(what, parents[what]))).toEqual([
    '/friends',
    '/friends/a/b/messages',
    '/forms/f/submissions',
    '/links/l/clicks',
    '/studio/projects',
    '/studio/projects/p/documents',
    '/sites',
    '/keys',
  ]);
  expect(toInjectionPath('click', 'a?b c')).toBe('/links/a%3Fb%20c/clicks');
});

it.each([
  ['friend', 'shop', 'A friend does not belong to another record.'],
  ['message', undefined, '--to must say what the message belongs to: accountId/userId.'],
  ['message', 'shop', 'accountId/userId'],
  ['message', 'shop/', 'accountId/userId'],
  ['click', 'a/b', 'link'],
  ['toString', undefined, '"toString" cannot be injected.'],
])('refuses %s of %s', (what, to, message) => {
  expect(() => toInjectionPath(what, to)).toThrow(message);
});

it('reads fields, whose values may have any characters', () => {
  expect(parseFields(['text=a=b', 'notes='])).toEqual({ text: 'a=b', notes: '' });
  expect(() => parseFields(['text'])).toThrow('Expected name=value, got "text".');
  expect(() => parseFields(['=x'])).toThrow('Expected name=value');
});
