import fc from 'fast-check';
import type { Json, Resource } from './resources.ts';

/** Random data of a change. The records that it refers to are selected when it is sent. */
export interface Draw {
  readonly words: readonly [string, string];
  readonly n: readonly number[];
}

/** Short enough for every text field. Some have white space to trim, some have characters of several code units. */
const word = fc.constantFrom('a', ' b ', '日本', '😀 ', '\u3000c', 'Ab C', 'é\t');
export const draws: fc.Arbitrary<Draw> = fc.record({
  words: fc.tuple(word, word),
  n: fc.array(fc.nat({ max: 999 }), { minLength: 6, maxLength: 6 }),
});

/** Refers to a record by a number: one that exists, one that was deleted, or one that never existed. */
export type Pick = (kind: Resource | 'accounts', n: number) => string;

const of = <T>(values: readonly T[], n: number): T => values[n % values.length] as T;

const block = (text: string, n: number): Json =>
  of<Json>(
    [
      { type: 'text', text },
      { type: 'image', imageId: '00000000-0000-4000-8000-00000000000A' },
      {
        type: 'card',
        altText: text,
        color: n % 2 === 0 ? null : '#Ff8800',
        cards: [
          {
            imageId: null,
            title: text,
            text: '',
            buttons: [{ label: text, action: { type: 'uri', uri: 'tel:1' } }],
          },
        ],
      },
    ],
    n,
  );

/** Valid data of a resource. */
export function createData(resource: Resource, { words: [first, second], n }: Draw, pick: Pick): Json {
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = n;
  const maybe = (kind: Resource | 'accounts', m: number): string | null =>
    m % 3 === 0 ? null : pick(kind, m);
  switch (resource) {
    case 'tags':
      return { name: first, color: of(['neutral', 'blue', 'purple', 'brown', 'pink', 'orange', 'green'], a) };
    case 'templates':
      return { name: first, text: second };
    case 'auto-replies':
      return {
        accountId: maybe('accounts', a),
        keyword: first,
        matchType: of(['contains', 'exact'], b),
        responseText: second,
        ...(c % 2 === 0 && { content: [block(first, c), block(second, d)] }),
        active: d % 2 === 0,
      };
    case 'scenarios':
      return {
        name: first,
        accountId: maybe('accounts', a),
        trigger: of(['follow', 'tag', 'manual'], b),
        triggerTagId: maybe('tags', c),
        active: b % 2 === 0,
        steps: [
          { delayValue: d, delayUnit: of(['minutes', 'hours', 'days'], d), sendTime: null, text: second },
          {
            delayValue: 0,
            delayUnit: 'days',
            sendTime: '23:59',
            text: first,
            ...(e % 2 === 0 && { condition: condition(e, second, pick) }),
            ...(d % 2 === 0 && { nextStepOnFalse: e % 3 === 0 ? null : e % 20 }),
          },
        ],
      };
    case 'forms':
      return {
        accountId: pick('accounts', a),
        name: first,
        title: second,
        description: of(['', ' about it '], b),
        fields: [
          { key: 'mail', label: first, type: 'email', required: b % 2 === 0, options: [], placeholder: '' },
          {
            key: 'kind',
            label: 'Kind',
            type: 'select',
            required: false,
            options: [first, second],
            placeholder: ' ?',
          },
        ],
        submitTagId: maybe('tags', c),
        submitScenarioId: maybe('scenarios', d),
        saveToProfile: e % 2 === 0,
        thanksText: '',
        active: true,
      };
    case 'rich-menus':
      return {
        accountId: pick('accounts', a),
        name: first,
        chatBarText: second,
        size: of(['large', 'compact'], b),
        template: 'any',
        areas: [
          {
            x: 0,
            y: c,
            width: 1,
            height: 2,
            action: { type: 'uri', uri: 'https://example.com', label: first },
          },
          ...(d % 2 === 0
            ? [
                {
                  x: 0,
                  y: 0,
                  width: 5,
                  height: 5,
                  action: { type: 'switch', menuId: pick('rich-menus', d), label: 'on' },
                },
              ]
            : []),
        ],
        ...(e % 3 === 0 && { design: null }),
        ...(e % 3 === 1 && {
          design: { style: 'cards', color: '#1F6feb', areas: [{ icon: null, caption: '' }] },
        }),
      };
    case 'links':
      return {
        name: first,
        url: of(['http://', 'https://example.com/a b'], a),
        tagId: maybe('tags', b),
        scenarioId: maybe('scenarios', c),
      };
    case 'routes':
      return {
        accountId: pick('accounts', a),
        name: first,
        tagId: maybe('tags', b),
        scenarioId: maybe('scenarios', c),
      };
    case 'broadcasts':
      return {
        accountId: pick('accounts', a),
        title: first,
        messages: [block(second, b)],
        target: of(['all', 'tags'], c),
        tagIds: Array.from({ length: c % 3 }, (_, i) => pick('tags', d + i)),
        scheduledAt: null,
        ...(e % 3 === 0 && { accountIds: [pick('accounts', a), pick('accounts', d)] }),
        ...(e % 3 === 1 && { accountIds: null }),
      };
  }
}

function condition(n: number, text: string, pick: Pick): Json | null {
  return of<() => Json | null>(
    [
      () => null,
      () => ({ type: 'tag_not_exists', tagId: pick('tags', n) }),
      () => ({ type: 'metadata_equals', key: 'plan', value: text }),
    ],
    n >>> 1,
  )();
}
