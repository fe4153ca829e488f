import { errorCatalog } from '@orgchat/spec';
import { describe, expect, it } from 'vitest';
import type { MockUnderTest } from '../../test-support/mock-under-test.ts';

export function errorsTests(subject: MockUnderTest): void {
  describe('errors', () => {
    it('[7.1.1] [7.1.2] [7.2.12] every error has a code, a message and a request id of its own', async () => {
      const { caller } = subject;
      const answers = [
        await caller.send('/nowhere'),
        await caller.send('/me', {}),
        await caller.as('nobody').me(),
        await caller.as('demo-read-key').keywords('demo-site', { keywords: ['x'] }),
        await caller.read({}),
        await caller.read({ resource: 'tags', id: crypto.randomUUID() }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 405, 401, 403, 400, 404]);
      for (const { body, headers } of answers) {
        expect(Object.keys(body)).toEqual(['error', 'message']);
        expect(headers.get('content-type')).toBe('application/json');
      }
      const ids = answers.map(({ headers }) => headers.get('x-request-id'));
      expect(new Set(ids).size).toBe(ids.length);
      expect((await caller.me()).headers.get('x-request-id')).toBeTruthy();
    });

    it('[3.18] [7.1.3] Accept-Language selects the message, never the code', async () => {
      const message = async (language?: string): Promise<string> => {
        const headers = language === undefined ? {} : { 'Accept-Language': language };
        const { body } = await subject.caller.as('nobody').me({ headers });
        expect(body.error).toBe('UNAUTHORIZED');
        return body.message;
      };
      const { en, ja } = errorCatalog.UNAUTHORIZED.message;
      for (const language of [
        'ja',
        'ja-JP',
        'JA',
        'fr, ja;q=0.5',
        'en;q=0.1,ja;q=0.2',
        'ja, en',
        'en;q=0, ja;q=0.001',
        ' ja ; q = 1 ',
        'ja;level=1;q=0.9, en;q=0.8',
        'ja;q=1, en;q=0.999',
        // An invalid weight counts as 0.
        'en;q=2, ja;q=0.1',
        'en;q=-1, ja;q=0.1',
        'en;q=, ja;q=0.1',
      ]) {
        expect({ language, message: await message(language) }).toEqual({ language, message: ja });
      }
      for (const language of [
        'en',
        'en-GB',
        'fr',
        '*',
        '',
        'ja;q=0',
        'ja;q=0.5, en',
        'en, ja',
        'jav',
        'ja;q=x',
        'ja;q=1.1',
        'ja;q=-0.5',
        'ja;level=1;q=0.1, en;q=0.2',
        'ja; q=0.1, en; q=0.2',
        ';q=1',
      ]) {
        expect({ language, message: await message(language) }).toEqual({ language, message: en });
      }
      const { body } = await subject.caller.read(
        { resource: 'tags', limit: 99 },
        { headers: { 'Accept-Language': 'ja' } },
      );
      expect(body.message).toContain('limit');
      expect(body.message).toMatch(/50以下/);
    });

    it('[1.5] paths are exact, and a wrong method is 405 with the allowed method', async () => {
      const { caller } = subject;
      for (const path of [
        '/me/',
        '/ME',
        '/',
        '/chat',
        '/chat/read/',
        '/sites//keywords',
        '/sites/a/b/keywords',
        '/sites/%zz/keywords',
        '/sites/demo-site/keyword',
        '/pages/demo-site/keywords',
      ]) {
        expect({ path, status: (await caller.send(path)).status }).toEqual({ path, status: 404 });
      }
      expect((await caller.send('/me?x=1')).status).toBe(200);
      for (const [path, method, allow] of [
        ['/me', 'POST', 'GET'],
        ['/chat/read', 'GET', 'POST'],
        ['/chat/read', 'PUT', 'POST'],
        ['/sites/x/keywords', 'DELETE', 'POST'],
        ['/studio/read', 'OPTIONS', 'POST'],
      ] as const) {
        const { status, headers } = await caller.as('').send(path, undefined, { method });
        expect({ path, status, allow: headers.get('allow') }).toEqual({ path, status: 405, allow });
      }
    });

    it('[2.1] [4.1.2] a body is a JSON object in UTF-8, whatever its Content-Type says', async () => {
      const { caller } = subject;
      const send = (raw: string | Uint8Array<ArrayBuffer>, headers = {}) =>
        caller.send('/chat/read', undefined, { raw, headers });
      const bytes = (...values: number[]) => Uint8Array.from(values);
      for (const raw of [
        '{',
        '[]',
        'null',
        '"x"',
        '1',
        ' ',
        '{"resource":"tags"}x',
        '{"resource":"tags",}',
        bytes(0x7b, 0xff, 0x7d),
      ]) {
        const { status, body } = await send(raw);
        expect({ raw, status, error: body.error }).toEqual({ raw, status: 400, error: 'INVALID_INPUT' });
      }
      expect((await caller.send('/chat/read', undefined, { method: 'POST' })).status).toBe(400);
      expect((await send('\ufeff {"resource":"tags"} ')).status).toBe(200);
      expect((await send('{"resource":"tags"}', { 'Content-Type': 'text/plain' })).status).toBe(200);
      expect((await send('{"resource":"forms","resource":"tags"}')).body.total).toBe(3);
      // The replacement character is valid if it was sent.
      const replaced = new TextEncoder().encode('{"resource":"friends","search":"\ufffd"}');
      expect((await send(replaced)).status).toBe(200);
      const broken = JSON.stringify({ resource: 'friends', search: 'é' });
      const latin = Uint8Array.from(broken, (character) => character.charCodeAt(0));
      expect((await send(latin)).status).toBe(400);
    });

    it('a body of 16 MiB is read, and one byte more is 400', async () => {
      const text = JSON.stringify({ resource: 'tags' });
      const limit = 16 * 1024 * 1024;
      expect((await subject.caller.send('/chat/read', undefined, { raw: text.padEnd(limit) })).status).toBe(
        200,
      );
      expect(
        (await subject.caller.send('/chat/read', undefined, { raw: text.padEnd(limit + 1) })).status,
      ).toBe(400);
    });

    it('deep and hostile JSON is rejected like any invalid body', async () => {
      const deep = `{"resource":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
      expect((await subject.caller.send('/chat/read', undefined, { raw: deep })).status).toBe(400);
      const lone = JSON.stringify({ resource: 'friends', search: '\ud83d' });
      expect((await subject.caller.send('/chat/read', undefined, { raw: lone })).status).toBe(400);
      for (const name of ['a\ud800b', 'a\0b']) {
        const tag = { action: 'create-tags', data: { name, color: 'blue' } };
        expect((await subject.caller.apply(tag)).status).toBe(400);
      }
    });
  });
}
