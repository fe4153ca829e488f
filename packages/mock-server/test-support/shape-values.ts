/** Values that a field accepts and rejects. */
export interface Values {
  readonly accepts: readonly unknown[];
  readonly rejects: readonly unknown[];
}

export const chars = (count: number, character = 'あ'): string => character.repeat(count);
export const items = (count: number, item: unknown): unknown[] => Array(count).fill(item);

/** Required text with a minimum and maximum length in code points, after trimming. */
export const text = (min: number, max: number): Values => ({
  accepts: [chars(min, 'a'), chars(max), chars(max, '😀'), ` \u3000${chars(max)}\n`],
  rejects: [
    ...(min > 0 ? ['', '   ', '\u3000'] : []),
    chars(max + 1),
    chars(max + 1, '😀'),
    null,
    undefined,
    1,
  ],
});
export const oneOf = (...accepts: string[]): Values => ({
  accepts,
  rejects: ['other', accepts[0]?.toUpperCase(), ` ${accepts[0]}`, null, undefined, ''],
});
export const list = (min: number, max: number, item: unknown): Values => ({
  accepts: [items(min, item), items(max, item)],
  rejects: [...(min > 0 ? [[]] : []), items(max + 1, item), item, null],
});
export const integer = (min: number, max?: number): Values => ({
  accepts: [min, max ?? 1e15],
  rejects: [min - 1, min + 0.5, `${min}`, null, ...(max === undefined ? [] : [max + 1])],
});
export const flag = { accepts: [true, false], rejects: ['true', 1, null, undefined] };
export const optional = (rule: Values): Values => ({
  accepts: [...rule.accepts, undefined],
  rejects: rule.rejects.filter((value) => value !== undefined),
});
export const nullable = (rule: Values): Values => ({
  accepts: [...rule.accepts, null],
  rejects: rule.rejects.filter((value) => value !== null),
});
export const uuid = (known: string): Values => ({
  accepts: [known, known.toUpperCase()],
  rejects: ['x', `${known} `, known.replaceAll('-', ''), null, undefined],
});
export const hexColor = {
  accepts: ['#1f6feb', '#ABCDEF'],
  rejects: ['1f6feb', '#1f6fe', '#1f6febf', '#gggggg', '#1f6feb\n'],
};
export const uri = {
  accepts: [
    'https://e',
    'http://e',
    'chat://x',
    'tel:1',
    `https://${chars(992, 'a')}`,
    '{link:6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21}',
    `{link:${chars(36, '-')}}`,
    '{miniapp:/}',
    `{miniapp:/${chars(100, '_')}}`,
  ],
  rejects: [
    '',
    'https://',
    'ftp://e',
    'HTTPS://e',
    'https://a b',
    `https://${chars(993, 'a')}`,
    '{link:6F1C2F0E-8A53-4B6E-9A55-0D6F3C1E7B21}',
    `{link:${chars(35, 'a')}}`,
    '{miniapp:x}',
    `{miniapp:/${chars(101, 'a')}}`,
    ' https://e',
    'https://e\n',
    null,
  ],
};
