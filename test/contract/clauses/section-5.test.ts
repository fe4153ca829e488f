import { describe, expect, it } from 'vitest';
import { data } from '../../../packages/mock-server/test-support/data.ts';
import { withAt } from '../../../packages/mock-server/test-support/paths.ts';
import { serve } from './service.ts';

/* The shapes of section 5 are tested in packages/mock-server/test/shapes. This is the rule that several of them share. */

const { caller } = serve();
const id = '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21';

describe('section 5.12: the URI rule', () => {
  const lowerHex = '0123456789abcdef-0123-4567-89ab-cdef'.padEnd(36, '0').slice(0, 36);
  const rules: readonly [string, string, string[], string[]][] = [
    [
      '5.12.1',
      '1 to 1000 characters',
      [`tel:${'1'.repeat(996)}`, `chat://${'😀'.repeat(993)}`],
      ['', `tel:${'1'.repeat(997)}`, `chat://${'😀'.repeat(994)}`],
    ],
    [
      '5.12.2',
      'one of the forms and no other',
      ['https://example.com', `{link:${lowerHex}}`, '{miniapp:/shop}'],
      ['example.com', '/path', 'ftp://x', 'mailto:a@b', 'javascript:x', '{other:x}', 'see https://x', '{}'],
    ],
    [
      '5.12.3',
      'a scheme and no white space',
      ['http://x', 'https://x', 'chat://x', 'tel:x', 'https://日本', 'tel:+81-3'],
      [
        'http://',
        'https://',
        'chat://',
        'tel:',
        'http:/x',
        'https://a b',
        'tel:1\n',
        'chat://\u3000',
        'HTTP://x',
      ],
    ],
    [
      '5.12.4',
      'a link placeholder',
      [`{link:${lowerHex}}`, `{link:${'-'.repeat(36)}}`, `{link:${id}}`],
      [`{link:${id.slice(1)}}`, `{link:${id}0}`, `{link:${id.toUpperCase()}}`, `{link:${id}`, `{LINK:${id}}`],
    ],
    [
      '5.12.5',
      'a mini-application placeholder',
      ['{miniapp:/}', '{miniapp:/A-z_0/9}', `{miniapp:/${'a'.repeat(100)}}`],
      ['{miniapp:}', '{miniapp:x}', '{miniapp:/?}', '{miniapp:/é}', `{miniapp:/${'a'.repeat(101)}}`],
    ],
  ];
  const card = {
    imageId: null,
    title: 'x',
    text: '',
    buttons: [{ label: 'x', action: { type: 'uri', uri: '' } }],
  };
  const messages = [{ type: 'card', altText: 'x', color: null, cards: [card] }];
  const places = [
    ['rich-menus', data['rich-menus'], 'areas.0.action.uri'],
    ['broadcasts', { ...data.broadcasts, messages }, 'messages.0.cards.0.buttons.0.action.uri'],
  ] as const;
  it.each(rules)('[%s] %s, in areas and in buttons', async (_clause, _what, good, bad) => {
    for (const [resource, base, at] of places) {
      const status = async (uri: string): Promise<number> =>
        (await caller.apply({ action: `create-${resource}`, data: withAt(base, at, uri) })).status;
      for (const uri of good) expect({ uri, status: await status(uri) }).toEqual({ uri, status: 200 });
      for (const uri of bad) expect({ uri, status: await status(uri) }).toEqual({ uri, status: 400 });
    }
  });
});
