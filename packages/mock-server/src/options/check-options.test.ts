import { describe, expect, it } from 'vitest';
import { createMock, type MockOptions, MockOptionsError } from '../index.ts';

const refuse = (options: object, message: string | RegExp): void => {
  const create = () => createMock(options as MockOptions);
  expect(create).toThrow(MockOptionsError);
  expect(create).toThrow(message);
};

describe('createMock refuses', () => {
  it.each([
    [
      { rateLimit: -1 },
      'rateLimit must be "off" or a whole number of requests per minute, 0 or more. It is -1.',
    ],
    [{ rateLimit: 'of' }, 'It is "of".'],
    [
      { monthlyLimit: 1.5 },
      'monthlyLimit must be "off", "plan" or a whole number of requests per month, 0 or more.',
    ],
    [{ randomSeed: 'x' }, 'randomSeed must be a whole number. It is "x".'],
    [
      { requestLogSize: Number.NaN },
      'requestLogSize must be a whole number of requests, 0 or more. It is NaN.',
    ],
    [{ now: 5 }, 'now must be a function. It is 5.'],
    [{ data: '' }, 'data must be the path of a file. It is "".'],
  ])('%j', refuse);

  it('options that do not exist', () =>
    refuse(
      { rateLimt: 'off' },
      /^createMock has no option rateLimt\. Its options are seed, .*, rateLimit, /,
    ));

  it('an option before the seed of a path is read', () => {
    expect(() => createMock({ seed: 'nowhere.yaml', history: -1 })).toThrow(MockOptionsError);
  });

  it('a token without repeating it', () => {
    const token = 7_315 as unknown as string;
    refuse({ controlToken: token }, /^controlToken must be a text that is not empty[^7]*$/);
  });
});

it('createMock accepts limits that are off, zero or left out', () => {
  for (const rateLimit of ['off', 0, 60, undefined] as const)
    expect(createMock({ rateLimit: rateLimit as 'off' })).toBeDefined();
});
