import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/index.ts';
import { getRejection } from '../../test-support/rejection.ts';

const apiKey = 'secret-key-0123456789';
const vip = { name: 'VIP', color: 'pink' } as const;

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])(
    '%i is an error, and nothing goes to another origin',
    async (status) => {
      const reached: string[] = [];
      const other = createServer((request, response) => {
        reached.push(request.url ?? '');
        response.end('{}');
      });
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/api/v1/me`;
      const server = createServer((_request, response) => response.writeHead(status, { location }).end());
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
      const client = createClient({ apiKey, baseUrl, pacing: false });
      expect(await getRejection(client.account())).toMatchObject({ code: 'REDIRECTED', status, attempts: 1 });
      expect(await getRejection(client.tags.create(vip))).toMatchObject({ status, attempts: 1 });
      expect(await getRejection(client.keywords.add('s', { keywords: ['x'] }))).toMatchObject({
        status,
        attempts: 1,
      });
      expect(reached).toEqual([]);
      server.close();
      other.close();
    },
  );
});
