import { createMock, type Mock } from '@orgchat/mock-server';
import { createClient, requireResult } from '@orgchat/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configurationResources, createGuard, lifecycle } from '../../test-support/lifecycle-changes.ts';
import { type Prism, startPrism } from './start-prism.ts';

/*
 * Prism, an independent tool, validates the SDK's requests and the mock's answers against spec/openapi.yaml. With
 * --errors, a request or answer that violates the document never arrives.
 */
let mock: Mock;
let server: Awaited<ReturnType<Mock['listen']>>;
let prism: Prism;

beforeAll(async () => {
  mock = createMock({ rateLimit: 'off' });
  server = await mock.listen({ port: 0 });
  prism = await startPrism(server.baseUrl);
}, 60_000);

afterAll(async () => {
  await prism?.stop();
  await server?.close();
});

/** Prism's violations, from error answers or from the header of an answer. */
const violations: string[] = [];

const judged: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init);
  const said = answer.headers.get('sl-violations');
  if (said !== null) violations.push(said);
  if (answer.headers.get('content-type')?.includes('problem+json'))
    violations.push(await answer.clone().text());
  return answer;
};

const connect = (apiKey = 'demo-write-key') =>
  createClient({ apiKey, baseUrl: prism.baseUrl, pacing: false, retry: false, fetch: judged });

/** The newest record of a list; the demo organization has some of every resource. */
const newest = <T>(page: { records: T[] }): T => {
  const [first] = page.records;
  if (first === undefined) throw new Error('The demo has no record of this resource');
  return first;
};

describe('through a validating proxy, with no violation', () => {
  it('the account and keywords', async () => {
    const client = connect();
    expect((await client.account()).key.scope).toBe('write');
    const added = await client.keywords.add('demo-site', { keywords: ['prism', 'prism'], group: 'proxy' });
    expect(added).toEqual({ added: ['prism'], skipped: ['prism'] });
  });

  it('every readable resource', async () => {
    const client = connect();
    const { accountId, userId } = newest(await client.readChat({ resource: 'friends' }));
    const form = newest(await client.readChat({ resource: 'forms' })).id;
    const link = newest(await client.readChat({ resource: 'links' })).id;
    for (const resource of configurationResources) {
      const list = (await client.readChat({ resource, limit: 2, offset: 0 })) as {
        records: { id: string }[];
      };
      expect(list.records.length, resource).toBeGreaterThan(0);
      const single = await client.readChat({ resource, id: list.records[0]?.id ?? '' });
      expect(single).toHaveProperty('record');
    }
    await client.readChat({ resource: 'accounts' });
    await client.readChat({ resource: 'friends', search: 'a', limit: 1 });
    await client.readChat({ resource: 'friends', accountId, userId });
    await client.readChat({ resource: 'conversations' });
    await client.readChat({ resource: 'messages', accountId, userId });
    await client.readChat({ resource: 'form-submissions', id: form });
    await client.readChat({ resource: 'friend-automations', accountId, userId });
    await client.readChat({ resource: 'link-clicks', id: link });
  });

  it('every change', async () => {
    const client = connect();
    const friend = newest(await client.readChat({ resource: 'friends' }));
    const { accountId, userId } = friend;
    const person = { accountId, userId };
    for (const resource of configurationResources) {
      const created = await client.changeChat(lifecycle.create(resource, accountId));
      const updated = await client.changeChat(
        lifecycle.update(resource, accountId, createGuard(created.result)),
      );
      const removal = lifecycle.remove(resource, createGuard(updated.result));
      if (removal) expect((await client.changeChat(removal)).applied).toBe(true);
    }
    const guard = { expectedRevision: friend.revision ?? '', expectedLabel: friend.label ?? '' };
    const noted = await client.changeChat({
      action: 'update-friend',
      ...person,
      ...guard,
      data: { notes: 'Seen.' },
    });
    const after = requireResult(noted);
    const tagged = await client.changeChat({
      action: 'set-friend-tags',
      ...person,
      expectedRevision: after.revision ?? '',
      expectedLabel: after.label ?? '',
      tagIds: [],
    });
    expect(tagged.applied).toBe(true);
    const scenarioId = newest(await client.readChat({ resource: 'scenarios', limit: 1 })).id;
    const enrolled = await client.changeChat({ action: 'enroll-scenario', ...person, scenarioId });
    expect(enrolled.applied).toBe(true);
  });

  it('Studio', async () => {
    const client = connect();
    const { projects } = await client.readStudio({ resource: 'projects' });
    const projectId = projects[0]?.id ?? '';
    const { documents } = await client.readStudio({ resource: 'documents', projectId });
    const documentId = documents[0]?.id ?? '';
    expect(await client.readStudio({ resource: 'document', projectId, documentId })).toHaveProperty(
      'document',
    );
  });

  it('the errors of a client', async () => {
    const nobody = '00000000-0000-4000-8000-000000000000';
    await expect(connect('wrong-key').account()).rejects.toMatchObject({ status: 401 });
    await expect(connect('demo-no-api-key').account()).rejects.toMatchObject({ status: 403 });
    await expect(connect('demo-read-key').tags.create({ name: 'No', color: 'blue' })).rejects.toMatchObject({
      status: 403,
      code: 'FORBIDDEN',
    });
    await expect(connect().readChat({ resource: 'tags', id: nobody })).rejects.toMatchObject({ status: 404 });
    await expect(connect().keywords.add('no-site', { keywords: ['x'] })).rejects.toMatchObject({
      status: 404,
    });
    const created = await connect().tags.create({ name: 'Once', color: 'blue' });
    const stale = { ...requireResult(created), revision: '0'.repeat(64) };
    await expect(connect().tags.update(stale, { name: 'Twice', color: 'blue' })).rejects.toMatchObject({
      status: 409,
    });
    for (const status of [429, 500, 502]) {
      mock.faults.arm({ operation: 'changeChat', effect: 'respond', status });
      await expect(connect().tags.create({ name: 'Later', color: 'blue' })).rejects.toMatchObject({ status });
    }
  });

  it('Prism received all of it and reported no violation', () => {
    const paths = ['/me', '/sites/demo-site/keywords', '/chat/read', '/chat/changes', '/studio/read'];
    for (const path of paths) expect(prism.log()).toContain(`upstream call to ${path} has returned`);
    expect(violations).toEqual([]);
  });
});
