import { describe, expect, it } from 'vitest';
import { type Answer, type CallOptions, createGuard } from '../../test-support/caller.ts';
import { data, nobody, shop, step, vip } from '../../test-support/data.ts';
import type { MockUnderTest } from '../../test-support/mock-under-test.ts';

const bytes = (...values: number[]): Uint8Array<ArrayBuffer> => Uint8Array.from(values);
const noTag = /No tag with id /;
const noTagJa = /IDが[0-9a-f-]{36}のtagは存在しません。/;

/** The reason of an error, the request, and the expected message in each language. */
type Refusal = readonly [
  why: string,
  send: (subject: MockUnderTest, options: CallOptions) => Promise<Answer>,
  en: RegExp,
  ja: RegExp,
];

const refusals: readonly Refusal[] = [
  [
    'an unknown path',
    ({ caller }, options) => caller.send('/nowhere', undefined, options),
    /no such path/,
    /パスが存在しません/,
  ],
  [
    'another method',
    ({ caller }, options) => caller.send('/me', undefined, { ...options, method: 'DELETE' }),
    /Use GET\./,
    /GETを使用してください/,
  ],
  [
    'a key that reads',
    ({ caller }, options) => caller.as('demo-read-key').keywords('demo-site', { keywords: ['x'] }, options),
    /It is a read-only key/,
    /読み取り専用のキー/,
  ],
  [
    'a creator who cannot edit',
    ({ caller }, options) => caller.as('demo-viewer-key').keywords('demo-site', { keywords: ['x'] }, options),
    /Its creator cannot edit/,
    /作成者に組織の編集権限がありません/,
  ],
  [
    'a body that is too large',
    ({ caller }, options) =>
      caller.send('/chat/read', undefined, { ...options, raw: ' '.repeat(2 ** 24 + 1) }),
    /The body is larger than 16777216 bytes/,
    /本文が16777216バイトを超えています/,
  ],
  [
    'bytes that are no text',
    ({ caller }, options) =>
      caller.send('/chat/read', undefined, { ...options, raw: bytes(0x22, 0xff, 0x22) }),
    /not valid UTF-8/,
    /正しいUTF-8ではありません/,
  ],
  [
    'text that is not JSON',
    ({ caller }, options) => caller.send('/chat/read', undefined, { ...options, raw: '{"resource":' }),
    /The body is not JSON\./,
    /本文がJSONではありません/,
  ],
  ...['[]', 'null', '7', '"text"', 'true'].map(
    (raw): Refusal => [
      `JSON that is not an object: ${raw}`,
      ({ caller }, options) => caller.send('/chat/read', undefined, { ...options, raw }),
      /not a JSON object/,
      /JSONオブジェクトではありません/,
    ],
  ),
  [
    'a field that does not fit',
    ({ caller }, options) => caller.read({ resource: 'tags', limit: 99 }, options),
    /limit must be at most 50\./,
    /limit: 50以下/,
  ],
  [
    'a record that is not there',
    ({ caller }, options) => caller.read({ resource: 'tags', id: nobody }, options),
    noTag,
    noTagJa,
  ],
  [
    'a field that names a record that is not there',
    ({ caller }, options) => {
      const steps = [step, { ...step, condition: { type: 'tag_exists', tagId: nobody } }];
      const change = { action: 'create-scenarios', data: { ...data.scenarios, steps } };
      return caller.change(crypto.randomUUID(), change, options);
    },
    /change\.data\.steps\[1\]\.condition\.tagId: No tag with id /,
    /change\.data\.steps\[1\]\.condition\.tagId: IDが[0-9a-f-]{36}のtagは存在しません。/,
  ],
  [
    'the same of an update',
    async ({ caller }, options) => {
      const { id, ...record } = await caller.first('links');
      const change = {
        action: 'update-links',
        id,
        ...createGuard(record),
        data: { ...data.links, tagId: nobody },
      };
      return caller.change(crypto.randomUUID(), change, options);
    },
    /change\.data\.tagId: No tag with id /,
    /change\.data\.tagId: ID.*のtagは/,
  ],
  [
    'a tag of a friend that is not there',
    async ({ caller }, options) => {
      const { accountId, userId, ...friend } = await caller.first('friends');
      const change = {
        action: 'set-friend-tags',
        accountId,
        userId,
        ...createGuard(friend),
        tagIds: [vip, nobody],
      };
      return caller.change(crypto.randomUUID(), change, options);
    },
    /change\.tagIds\[1\]: No tag with id /,
    /change\.tagIds\[1\]: ID.*のtagは/,
  ],
  [
    'an account that is not there',
    ({ caller }, options) => caller.read({ resource: 'friends', accountId: nobody }, options),
    new RegExp(`^Not found\\. No account with id ${nobody}\\.$`),
    /のaccountは存在しません/,
  ],
  [
    'a friend who is not there',
    ({ caller }, options) =>
      caller.read({ resource: 'friends', accountId: shop, userId: `U${'0'.repeat(32)}` }, options),
    new RegExp(`^Not found\\. No friend with id ${shop}/U0{32}\\.$`),
    /のfriendは存在しません/,
  ],
  [
    'a site that is not there',
    ({ caller }, options) => caller.keywords('nowhere', { keywords: ['x'] }, options),
    /No site with id/,
    /のサイトは存在しません/,
  ],
  [
    'more keywords than the site holds',
    async ({ caller }, options) => {
      const keywords = (from: number) => Array.from({ length: 50 }, (_, n) => `k${from + n}`);
      for (const from of [0, 50]) await caller.keywords('demo-blog', { keywords: keywords(from) });
      return caller.keywords('demo-blog', { keywords: ['one more'] }, options);
    },
    /The site can hold at most 100 keywords\./,
    /サイトの上限は100件です/,
  ],
  [
    'Studio if it is not enabled',
    ({ mock, caller }, options) => {
      mock.patchOrganization({ studio: false });
      return caller.studio({ resource: 'projects' }, options);
    },
    /Studio is not enabled/,
    /Studioは有効になっていません/,
  ],
  [
    'a project that is not there',
    ({ caller }, options) => caller.studio({ resource: 'documents', projectId: nobody }, options),
    new RegExp(`^Not found\\. No project with id ${nobody}\\.$`),
    /のprojectは存在しません/,
  ],
  [
    'a cursor of another list',
    ({ caller }, options) => caller.studio({ resource: 'projects', cursor: 'made-up' }, options),
    /cursor was not issued for this list/,
    /この一覧のカーソルではありません/,
  ],
];

export function messagesTests(subject: MockUnderTest): void {
  describe('an error says what is wrong', () => {
    it.each(refusals)('[7.1.3] of %s', async (_why, send, en, ja) => {
      const english = await send(subject, {});
      expect(english.status).toBeGreaterThanOrEqual(400);
      expect(english.body.message).toMatch(en);
      expect(english.body.message).not.toMatch(/[\u3040-\u30ff\u4e00-\u9fff]/);
      const japanese = await send(subject, { headers: { 'Accept-Language': 'ja' } });
      expect(japanese.body).toMatchObject({ error: english.body.error, message: expect.stringMatching(ja) });
    });
  });
}
