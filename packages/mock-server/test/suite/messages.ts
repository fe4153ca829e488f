import { describe, expect, it } from 'vitest';
import { type Answer, type CallOptions, guardOf } from '../caller.ts';
import { data, nobody, shop, step, vip } from '../data.ts';
import type { Subject } from './subject.ts';

const bytes = (...values: number[]): Uint8Array<ArrayBuffer> => Uint8Array.from(values);
const noTag = /There is no such record among tags\./;
const noTagJa = /tagsに該当するレコードがありません。/;

/** Why a request is refused, the request, and what tells its sender what to mend, in each language. */
type Refusal = readonly [
  why: string,
  send: (subject: Subject, options: CallOptions) => Promise<Answer>,
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
    /It is a read key/,
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
    'text that is no JSON',
    ({ caller }, options) => caller.send('/chat/read', undefined, { ...options, raw: '{"resource":' }),
    /The body is not JSON\./,
    /本文がJSONではありません/,
  ],
  ...['[]', 'null', '7', '"text"', 'true'].map(
    (raw): Refusal => [
      `JSON that is no object: ${raw}`,
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
    /change\.data\.steps\[1\]\.condition\.tagId: There is no such record among tags\./,
    /change\.data\.steps\[1\]\.condition\.tagId: tagsに該当するレコードがありません。/,
  ],
  [
    'the same of an update',
    async ({ caller }, options) => {
      const { id, ...record } = await caller.first('links');
      const change = {
        action: 'update-links',
        id,
        ...guardOf(record),
        data: { ...data.links, tagId: nobody },
      };
      return caller.change(crypto.randomUUID(), change, options);
    },
    /change\.data\.tagId: There is no such record among tags\./,
    /change\.data\.tagId: tagsに/,
  ],
  [
    'a tag of a friend that is not there',
    async ({ caller }, options) => {
      const { accountId, userId, ...friend } = await caller.first('friends');
      const change = {
        action: 'set-friend-tags',
        accountId,
        userId,
        ...guardOf(friend),
        tagIds: [vip, nobody],
      };
      return caller.change(crypto.randomUUID(), change, options);
    },
    /change\.tagIds\[1\]: There is no such record among tags\./,
    /change\.tagIds\[1\]: tagsに/,
  ],
  [
    'an account that is not there',
    ({ caller }, options) => caller.read({ resource: 'friends', accountId: nobody }, options),
    /no such record among accounts/,
    /accountsに該当する/,
  ],
  [
    'a friend who is not there',
    ({ caller }, options) =>
      caller.read({ resource: 'friends', accountId: shop, userId: `U${'0'.repeat(32)}` }, options),
    /no such record among friends/,
    /friendsに該当する/,
  ],
  [
    'a site that is not there',
    ({ caller }, options) => caller.keywords('nowhere', { keywords: ['x'] }, options),
    /There is no such site/,
    /サイトが存在しません/,
  ],
  [
    'more keywords than the site holds',
    async ({ caller }, options) => {
      const keywords = (from: number) => Array.from({ length: 50 }, (_, n) => `k${from + n}`);
      for (const from of [0, 50]) await caller.keywords('demo-blog', { keywords: keywords(from) });
      return caller.keywords('demo-blog', { keywords: ['one more'] }, options);
    },
    /The site holds at most 100\./,
    /サイトの上限は100件です/,
  ],
  [
    'Studio where it is not enabled',
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
    /no such record among projects/,
    /projectsに該当する/,
  ],
  [
    'a cursor of another list',
    ({ caller }, options) => caller.studio({ resource: 'projects', cursor: 'made-up' }, options),
    /cursor was not issued for this list/,
    /この一覧のカーソルではありません/,
  ],
];

export function messagesSuite(subject: Subject): void {
  describe('a refusal says what is wrong', () => {
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
