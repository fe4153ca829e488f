import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createMock, type Listening } from '@orgchat/mock-server';
import {
  configurationResources,
  createGuard,
  exampleData,
  lifecycle,
} from '../../test-support/lifecycle-changes.ts';
import type { Answer, Body, Connect, GeneratedClient } from './client.ts';
import { connectFrom30, connect as openapiZodClient } from './openapi-zod-client.ts';
import { connect as orval } from './orval.ts';
import { connect as swaggerTypescriptApi } from './swagger-typescript-api.ts';
import { startValidatingProxy, type ValidatingProxy } from './validating-proxy.ts';

interface Subject {
  readonly connect: Connect;
  /** The document that a validator between client and mock checks every request and answer with. */
  readonly validatedBy?: string;
}

const spec = fileURLToPath(new URL('../../../spec/', import.meta.url));
const subjects: Readonly<Record<string, Subject>> = {
  'swagger-typescript-api': { connect: swaggerTypescriptApi },
  orval: { connect: orval },
  'openapi-zod-client': { connect: openapiZodClient },
  'openapi-zod-client, OpenAPI 3.0': { connect: connectFrom30 },
  'express-openapi-validator': { connect: orval, validatedBy: `${spec}openapi.yaml` },
  'express-openapi-validator, OpenAPI 3.0': { connect: orval, validatedBy: `${spec}openapi-3.0.yaml` },
};

/** The body of a success, or a failure that shows the refusal. */
async function good(answer: Promise<Answer>): Promise<Body> {
  const { ok, body } = await answer;
  assert.ok(ok, JSON.stringify(body));
  return body;
}
async function refused(answer: Promise<Answer>, status: number, error: string): Promise<void> {
  const given = await answer;
  assert.ok(!given.ok, 'it should have been refused');
  assert.deepEqual([given.status, given.body.error], [status, error]);
  assert.equal(typeof given.body.message, 'string');
}
const list = (body: Body, name = 'records'): Body[] => body[name] as Body[];

for (const [name, { connect, validatedBy }] of Object.entries(subjects)) {
  describe(name, () => {
    const mock = createMock({ rateLimit: 'off' });
    let server: Listening;
    let proxy: ValidatingProxy | undefined;
    let client: GeneratedClient;
    const as = (key: string): GeneratedClient =>
      connect(proxy === undefined ? server.baseUrl : `${proxy.origin}/api/v1`, key);
    const change = (given: object): Promise<Answer> =>
      client.changeChat({ operationId: crypto.randomUUID(), change: given });

    before(async () => {
      server = await mock.listen({ port: 0 });
      if (validatedBy !== undefined) proxy = await startValidatingProxy(validatedBy, server.url);
      client = as('demo-write-key');
    });
    beforeEach(() => mock.reset());
    after(async () => {
      proxy?.close();
      await server.close();
      assert.deepEqual(proxy?.problems ?? [], []);
      if (proxy !== undefined) assert.ok(proxy.passed() > 50, `${proxy.passed()} requests passed`);
    });

    it('reads the account', async () => {
      assert.equal((await good(client.account())).organizationId, 'org_demo');
    });

    it('adds keywords', async () => {
      const body = await good(client.addKeywords('demo-site', { keywords: ['new', 'opening hours'] }));
      assert.deepEqual(body, { added: ['new'], skipped: ['opening hours'] });
      await refused(client.addKeywords('no-site', { keywords: ['x'] }), 404, 'NOT_FOUND');
    });

    it('reads every resource of the chat', async () => {
      const friends = await good(client.readChat({ resource: 'friends', search: 'aiko' }));
      const [friend] = list(friends);
      const person = { accountId: friend?.accountId, userId: friend?.userId };
      const ids: Record<string, unknown> = {};
      for (const resource of ['accounts', ...configurationResources, 'conversations']) {
        const [first] = list(await good(client.readChat({ resource })));
        assert.ok(first, resource);
        ids[resource] = first.id;
      }
      for (const resource of configurationResources) {
        const { record } = await good(client.readChat({ resource, id: ids[resource] }));
        assert.equal((record as Body).id, ids[resource]);
      }
      for (const input of [
        { resource: 'messages', ...person, limit: 1 },
        { resource: 'friend-automations', ...person },
        { resource: 'form-submissions', id: ids.forms },
        { resource: 'link-clicks', id: ids.links },
      ]) {
        assert.ok(list(await good(client.readChat(input))).length > 0, input.resource);
      }
    });

    it('reads Studio, page after page', async () => {
      const [project] = list(
        await good(client.readStudio({ resource: 'projects', query: 'website' })),
        'projects',
      );
      const inProject = { projectId: project?.id };
      const first = await good(client.readStudio({ resource: 'documents', ...inProject }));
      const rest = await good(client.readStudio({ resource: 'documents', ...inProject, cursor: first.next }));
      assert.deepEqual([list(first, 'documents').length, list(rest, 'documents').length], [50, 10]);
      const documentId = list(rest, 'documents')[0]?.id;
      const { document } = await good(client.readStudio({ resource: 'document', ...inProject, documentId }));
      assert.match(String((document as Body).body), /^# /);
    });

    it('creates, updates and deletes each configuration, from the examples of the document', async () => {
      const accountId = String(list(await good(client.readChat({ resource: 'accounts' })))[0]?.id);
      for (const resource of configurationResources) {
        const made = createGuard((await good(change(lifecycle.create(resource, accountId)))).result);
        const now = createGuard((await good(change(lifecycle.update(resource, accountId, made)))).result);
        await refused(change(lifecycle.update(resource, accountId, made)), 409, 'STALE_REVISION');
        const removal = lifecycle.remove(resource, now);
        if (removal === undefined) continue;
        assert.deepEqual((await good(change(removal))).result, { id: now.id, deleted: true });
      }
    });

    it('changes, tags and enrolls a friend', async () => {
      const read = async (): Promise<Body> =>
        list(await good(client.readChat({ resource: 'friends' })))[0] ?? {};
      const { accountId, userId } = await read();
      const guard = async (): Promise<object> => {
        const { revision, label } = await read();
        return { accountId, userId, expectedRevision: revision, expectedLabel: label };
      };
      await good(change({ action: 'update-friend', ...(await guard()), data: { status: 'resolved' } }));
      const [tag] = list(await good(client.readChat({ resource: 'tags' })));
      await good(change({ action: 'set-friend-tags', ...(await guard()), tagIds: [tag?.id] }));
      const [scenario] = list(await good(client.readChat({ resource: 'scenarios' })));
      await good(change({ action: 'enroll-scenario', accountId, userId, scenarioId: scenario?.id }));
      assert.equal((await read()).status, 'resolved');
    });

    it('applies once: created, replayed, in conflict with another input', async () => {
      const operationId = crypto.randomUUID();
      const first = await good(client.typedChange(operationId));
      assert.deepEqual([first.applied, first.replayed], [true, false]);
      assert.deepEqual(await good(client.typedChange(operationId)), { ...first, replayed: true });
      const other = { action: 'create-tags', data: exampleData('tags', '') };
      await refused(client.changeChat({ operationId, change: other }), 409, 'INPUT_CONFLICT');
    });

    it('hands on errors with their code', async () => {
      await refused(as('no-key').account(), 401, 'UNAUTHORIZED');
      await refused(as('demo-no-api-key').account(), 403, 'PLAN_REQUIRED');
      await refused(as('demo-read-key').typedChange(crypto.randomUUID()), 403, 'FORBIDDEN');
      await refused(client.readChat({ resource: 'tags', limit: 51 }), 400, 'INVALID_INPUT');
      await refused(client.readChat({ resource: 'tags', id: crypto.randomUUID() }), 404, 'NOT_FOUND');
      for (const [status, error] of [
        [429, 'RATE_LIMITED'],
        [500, 'INTERNAL_ERROR'],
      ] as const) {
        mock.faults.arm({ effect: 'respond', status });
        await refused(client.account(), status, error);
      }
      mock.patchOrganization({ runtime: 'down' });
      await refused(client.readStudio({ resource: 'projects' }), 502, 'RUNTIME_UNAVAILABLE');
    });
  });
}
