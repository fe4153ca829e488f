import { expect, test } from 'vitest';
import { NotFoundError, type OrgChatClient, ServerError } from '../../src/index.ts';
import { getRejection } from '../../test-support/rejection.ts';
import { failure, html, json, record, scripted } from '../../test-support/servers/scripted.ts';

/* A 404 is read by its meaning: only one that is about a record says that there is no record. */

const reads: Readonly<Record<string, (client: OrgChatClient) => PromiseLike<unknown>>> = {
  get: (client) => client.tags.get(record.id),
  list: (client) => client.tags.list(),
  find: (client) => client.tags.find({ name: 'VIP' }),
  submissions: (client) => client.forms.submissions(record.id),
  document: (client) => client.studio.document(record.id, record.id),
  edit: (client) => client.tags.edit(record.id, (data) => data),
};

test.each(Object.entries(reads))(
  '%s: NotFoundError only if the code means it, or is not known',
  async (_name, read) => {
    const reject = async (step: Parameters<typeof scripted>[0][number], codes = {}) =>
      getRejection(read(scripted([step], { retry: false, server: { server: 1, codes } }).client));
    expect(await reject(failure(404, 'NOT_FOUND'))).toMatchObject({
      name: 'NotFoundError',
      meaning: 'notFound',
    });
    expect(await reject(failure(404, 'GONE'), { notFound: 'GONE' })).toMatchObject({ meaning: 'notFound' });
    for (const outage of [
      failure(404, 'RUNTIME_UNAVAILABLE'),
      html(404),
      json({}, 404),
      json('NOT_FOUND', 404),
    ]) {
      const error = await reject(outage);
      expect(error).toBeInstanceOf(ServerError);
      expect(error).not.toBeInstanceOf(NotFoundError);
    }
    const asleep = await reject(failure(404, 'ASLEEP'), { runtimeUnavailable: 'ASLEEP' });
    expect(asleep).toMatchObject({ name: 'ServerError', meaning: 'runtimeUnavailable' });
    const unknown = await reject(failure(404, 'ASLEEP'));
    expect(unknown).toBeInstanceOf(NotFoundError);
    expect(unknown.meaning).toBeUndefined();
    expect(unknown.message).toContain('404 ASLEEP is not a known code');
  },
);

test.each([
  failure(404, 'NOT_FOUND'),
  failure(404, 'ASLEEP'),
  failure(404, 'RUNTIME_UNAVAILABLE'),
  html(404),
])('any 404 to account() says to check the base URL (%#)', async (step) => {
  const error = await getRejection(scripted([step], { retry: false }).client.account());
  expect(error).toBeInstanceOf(ServerError);
  expect(error.message).toContain('Check the base URL');
});

test.each([
  [failure(404, 'NOT_FOUND'), 'NotFoundError'],
  [failure(404, 'ASLEEP'), 'NotFoundError'],
  [failure(404, 'RUNTIME_UNAVAILABLE'), 'ServerError'],
  [html(404), 'ServerError'],
])('a 404 to a keyword write is refused and never sent twice (%#)', async (step, name) => {
  const { client, sent } = scripted([step]);
  const error = await getRejection(client.keywords.add('site', { keywords: ['a'] }));
  expect(error).toMatchObject({ name, outcome: 'refused', attempts: 1 });
  expect(sent).toHaveLength(1);
});
