import { describe, expect, test } from 'vitest';
import { journalFolder } from '../../test-support/journals/journal-folder.ts';
import { getRejection } from '../../test-support/rejection.ts';
import {
  broken,
  cutBody,
  failure,
  html,
  json,
  lost,
  refusedConnection,
  type Step,
  scripted,
} from '../../test-support/servers/scripted.ts';
import { InvalidInputError, OutcomeUnknownError } from '../index.ts';
import { fileJournal } from '../journal/file/file-journal.ts';

const folder = journalFolder();

describe('a keyword write', () => {
  const words = { keywords: ['summer'], group: 'season' };
  const added = json({ added: ['summer'], skipped: [] }, 201);

  test('returns what was added and skipped', async () => {
    const { client, sent } = scripted([added]);
    expect(await client.keywords.add('demo-site', words)).toEqual({ added: ['summer'], skipped: [] });
    expect(sent[0]).toMatchObject({ url: 'https://api.example.com/api/v1/sites/demo-site/keywords' });
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual(words);
  });

  test.each<[string, Step]>([
    ['a lost answer', lost],
    ['a cut body', cutBody()],
    ['an HTML page', html()],
    ['a wrong shape', json({ added: 'summer' }, 201)],
    ['500', failure(500, 'INTERNAL_ERROR')],
    ['408', failure(408, 'X')],
    ['503 with Retry-After', failure(503, 'X', { 'retry-after': '0' })],
  ])('is never sent twice after %s', async (_name, step) => {
    const { client, sent } = scripted([step]);
    const error = await getRejection(client.keywords.add('demo-site', words));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error).toMatchObject({ operationId: expect.any(String) });
    expect(error).not.toHaveProperty('resume');
    expect((error as OutcomeUnknownError).resume).toBeUndefined();
    expect(sent).toHaveLength(1);
    const [outcome] = await client.operations.resumeAll();
    expect(outcome).toMatchObject({ kind: 'keywords', state: 'unknown', error: { code: 'NOT_RESUMABLE' } });
    expect(sent).toHaveLength(1);
  });

  test.each<[string, Step]>([
    ['a refused connection', refusedConnection],
    ['an unknown host', broken('ENOTFOUND', 'getaddrinfo')],
    ['429', failure(429, 'RATE_LIMITED')],
  ])('is sent again after %s', async (_name, step) => {
    const { client, sent } = scripted([step, added]);
    expect(await client.keywords.add('demo-site', words)).toMatchObject({ added: ['summer'] });
    expect(sent).toHaveLength(2);
  });

  test('with an intent is added once, however often the script runs', async () => {
    const intent = ['batch', 1];
    const journal = () => ({ journal: fileJournal(folder.dir) });
    const first = await scripted([added], journal()).client.keywords.add('demo-site', words, { intent });
    const { client, sent } = scripted([lost], journal());
    const again = await client.keywords.add('demo-site', words, { intent }).withResponse();
    expect(again).toMatchObject({ data: first, status: 201, attempts: 0 });
    expect(sent).toHaveLength(0);
  });

  test('with an intent whose outcome is unknown is reported again, not sent', async () => {
    const { client, sent } = scripted([lost, added]);
    await getRejection(client.keywords.add('demo-site', words, { intent: ['batch', 1] }));
    const again = await getRejection(client.keywords.add('demo-site', words, { intent: ['batch', 1] }));
    expect(again).toBeInstanceOf(OutcomeUnknownError);
    expect(sent).toHaveLength(1);
  });

  test.each(['', '.', '..', '\ud800'])('a site named %j cannot be part of a path', async (siteId) => {
    const { client, sent } = scripted([added]);
    expect(await getRejection(client.keywords.add(siteId, words))).toBeInstanceOf(InvalidInputError);
    expect(sent).toHaveLength(0);
  });

  test('a site stays one segment of the path', async () => {
    const { client, sent } = scripted([added]);
    await client.keywords.add('../me?x=1#y', words);
    expect(sent[0]?.url).toBe('https://api.example.com/api/v1/sites/..%2Fme%3Fx%3D1%23y/keywords');
  });
});
