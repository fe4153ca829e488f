import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import {
  characters,
  fieldKey,
  friendId,
  hexColor,
  integer,
  revision,
  text,
  timeOfDay,
  uri,
  uuid,
  verbatim,
  webUrl,
} from './primitives.ts';

const takes = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success;
const uuidText = '6F1C2F0E-8a53-4b6e-9a55-0d6f3c1e7b21';

describe('characters', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['日本', 2],
    ['😀', 1],
    ['a😀b', 3],
    ['\ud83d', 1],
    ['\ude00\ud83d', 2],
    ['👩‍👩‍👧', 5],
  ])('counts code points of %j: %i', (value, count) => {
    expect(characters(value)).toBe(count);
    expect(characters(value)).toBe([...value].length);
  });
});

describe('text', () => {
  it('trims, checks the limits, and returns the trimmed text', () => {
    expect(text(1, 3).parse('  abc \n')).toBe('abc');
    expect(text(1, 3).parse('　abc　')).toBe('abc');
    expect(takes(text(1, 3), '   ')).toBe(false);
    expect(takes(text(1, 3), 'abcd')).toBe(false);
    expect(takes(text(0, 3), '')).toBe(true);
  });
  it('counts characters, never UTF-16 units', () => {
    expect(takes(text(1, 3), '😀😀😀')).toBe(true);
    expect(takes(text(1, 3), '😀😀😀😀')).toBe(false);
    expect(takes(text(2, 3), '😀')).toBe(false);
  });
  it('accepts only strings', () => {
    for (const value of [null, 1, true, [], {}, undefined]) expect(takes(text(0, 9), value)).toBe(false);
  });
});

describe('patterned strings', () => {
  const cases: readonly [string, z.ZodType, readonly string[], readonly string[]][] = [
    [
      'uuid',
      uuid,
      [uuidText, '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
      ['', ` ${uuidText}`, `${uuidText}\n`, uuidText.slice(1), uuidText.replace('F', 'G'), `{${uuidText}}`],
    ],
    [
      'revision',
      revision,
      ['0'.repeat(64), 'abcdef0123456789'.repeat(4)],
      ['0'.repeat(63), '0'.repeat(65), 'A'.repeat(64), `${'0'.repeat(64)}\n`],
    ],
    [
      'friendId',
      friendId,
      [`U${'a'.repeat(32)}`],
      [
        `u${'a'.repeat(32)}`,
        `U${'A'.repeat(32)}`,
        `U${'a'.repeat(31)}`,
        `U${'a'.repeat(33)}`,
        ` U${'a'.repeat(32)}`,
      ],
    ],
    ['hexColor', hexColor, ['#000000', '#aBcDeF'], ['000000', '#00000', '#0000000', '#00000g', '#000000 ']],
    ['timeOfDay', timeOfDay, ['00:00', '19:59', '23:59'], ['24:00', '9:30', '09:60', '09:30 ', '0930']],
    [
      'fieldKey',
      fieldKey,
      ['a', `a${'_'.repeat(39)}`, 'a1_b'],
      ['', 'A', '1a', '_a', `a${'b'.repeat(40)}`, 'a-b', 'a\n'],
    ],
    [
      'uri',
      uri,
      [
        'https://example.com',
        'http://x',
        'chat://x',
        'tel:110',
        '{link:6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21}',
        `{link:${'-'.repeat(36)}}`,
        '{miniapp:/}',
        `{miniapp:/${'a'.repeat(100)}}`,
        '{miniapp:/a/B_9-}',
        `tel:${'1'.repeat(996)}`,
      ],
      [
        '',
        'https://',
        'tel:',
        'https://a b',
        'ftp://x',
        'HTTPS://x',
        ' https://x',
        'https://x\n',
        '{link:6F1C2F0E-8a53-4b6e-9a55-0d6f3c1e7b21}',
        `{link:${'a'.repeat(35)}}`,
        '{miniapp:}',
        '{miniapp:/?}',
        `{miniapp:/${'a'.repeat(101)}}`,
        `tel:${'1'.repeat(997)}`,
        'javascript:alert(1)',
      ],
    ],
    [
      'webUrl',
      webUrl,
      ['http://', 'https://x y', `https://${'a'.repeat(1992)}`],
      ['', 'ftp://x', 'HTTP://x', 'x http://x', `https://${'a'.repeat(1993)}`],
    ],
  ];
  it.each(cases)('%s matches the whole string and does not trim', (_name, schema, good, bad) => {
    for (const value of good) expect(takes(schema, value), value).toBe(true);
    for (const value of bad) expect(takes(schema, value), value).toBe(false);
  });
  it('trims an address of a link before it is checked', () => {
    const longest = `https://${'a'.repeat(1992)}`;
    for (const given of [` ${longest}`, `${longest}\n`, `\u3000${longest}\ufeff`])
      expect(webUrl.parse(given)).toBe(longest);
    for (const given of [' ', ' ftp://x', `${longest}a `]) expect(takes(webUrl, given), given).toBe(false);
  });
  it('keeps the letters of a uuid in lower case', () => {
    expect(uuid.parse(uuidText)).toBe(uuidText.toLowerCase());
  });
});

describe('integer', () => {
  it('accepts integers within its bounds', () => {
    expect([0, 5, 2.0].every((value) => takes(integer(0, 5), value))).toBe(true);
    expect(
      [-1, 6, 1.5, '1', Number.NaN, Number.POSITIVE_INFINITY, null].some((v) => takes(integer(0, 5), v)),
    ).toBe(false);
  });
  it('without an upper bound accepts those that are kept exactly', () => {
    expect(takes(integer(0), Number.MAX_SAFE_INTEGER)).toBe(true);
    for (const text of ['9007199254740992', '9007199254740993', '1e300', `1${'0'.repeat(30)}`])
      expect([text, takes(integer(0), JSON.parse(text))]).toEqual([text, false]);
  });
});

describe('a string that is not text', () => {
  const schemas = { text: text(0, 99), verbatim: verbatim(99), uri, webUrl };
  const parts = ['\0', '\ud83d', '\ude00', '\ude00\ud83d', '\udbff'];
  it.each(Object.entries(schemas))('is refused by %s', (_name, schema) => {
    for (const part of parts)
      for (const value of [`https://a${part}`, `https://${part}a`, `https://😀${part}😀`])
        expect(takes(schema, value), JSON.stringify(value)).toBe(false);
    expect(takes(schema, 'https://😀\u0001\ufffd\uffff')).toBe(true);
  });
});

describe('verbatim', () => {
  it('keeps white space and counts it', () => {
    expect(verbatim(3).parse(' a ')).toBe(' a ');
    expect(takes(verbatim(3), ' ab ')).toBe(false);
  });
});
