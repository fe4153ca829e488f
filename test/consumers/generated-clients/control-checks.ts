import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type AnswerMessage, createMock } from '@orgchat/mock-server';
import { controlDocument } from '../../../spec/test-support/document.ts';
import {
  type CallContext,
  type ControlClient,
  orvalControl,
  swaggerTypescriptApiControl,
} from './control-calls.ts';
import { zodControl, zodControlFrom30 } from './openapi-zod-control.ts';
import { startValidatingProxy } from './validating-proxy.ts';

/** Every call that the document describes: its operationId, and what a request to it looks like. */
const operations = Object.entries(controlDocument.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => {
    const pattern = path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+');
    return { operationId, method: method.toUpperCase(), path: new RegExp(`^/_mock${pattern}$`) };
  }),
);

const spec = fileURLToPath(new URL('../../../spec/', import.meta.url));
const subjects: readonly (readonly [name: string, connect: ControlClient, validatedBy?: string])[] = [
  ['orval', orvalControl],
  ['swagger-typescript-api', swaggerTypescriptApiControl],
  ['openapi-zod-client', zodControl],
  ['openapi-zod-client, OpenAPI 3.0', zodControlFrom30],
  ['express-openapi-validator', orvalControl, `${spec}control.openapi.yaml`],
  ['express-openapi-validator, OpenAPI 3.0', orvalControl, `${spec}control.openapi-3.0.yaml`],
];

for (const [name, connect, validatedBy] of subjects) {
  describe(name, () => {
    it('makes every call of the control API', async () => {
      const mock = createMock({ rateLimit: 'off', history: 100 });
      const server = await mock.listen({ port: 0 });
      const proxy =
        validatedBy === undefined ? undefined : await startValidatingProxy(validatedBy, server.url);
      const answers: AnswerMessage[] = [];
      const listener = (message: unknown): void => void answers.push(message as AnswerMessage);
      subscribe('orgchat.mock.answer', listener);
      try {
        const controlUrl = proxy === undefined ? server.controlUrl : `${proxy.origin}/_mock`;
        const calls = connect(controlUrl);
        assert.deepEqual(Object.keys(calls).sort(), operations.map(({ operationId }) => operationId).sort());
        for (const [operationId, call] of Object.entries(calls)) {
          await fetch(`${server.baseUrl}/me`, { headers: { Authorization: 'Bearer demo-read-key' } });
          const { headers } = await fetch(`${server.baseUrl}/chat/changes`, {
            method: 'POST',
            headers: { Authorization: 'Bearer demo-write-key', 'Content-Type': 'application/json' },
            body: JSON.stringify({
              operationId: crypto.randomUUID(),
              change: { action: 'create-tags', data: { name: 'VIP', color: 'pink' } },
            }),
          });
          const [organization] = (mock.state() as { organizations: { tags: { id: string }[] }[] })
            .organizations;
          const known: CallContext = {
            state: mock.state() as CallContext['state'],
            tagId: organization?.tags[0]?.id ?? '',
            requestId: mock.requests.list()[0]?.requestId ?? '',
            changedBy: headers.get('x-request-id') ?? '',
            faultId: async () => mock.faults.arm({ effect: 'drop-request', action: 'update-tags' }).id,
            sandboxId: async () => mock.sandbox().id ?? '',
          };
          answers.length = 0;
          const { status, data } = await call(known);
          assert.ok(status < 300, `${operationId}: ${status}`);
          assert.notEqual(data, undefined, operationId);
          const operation = operations.find((one) => one.operationId === operationId);
          const isMade = answers.some(
            ({ method, path, status: sent }) =>
              method === operation?.method && operation?.path.test(path ?? '') === true && sent === status,
          );
          assert.ok(
            isMade,
            `${operationId} sent ${JSON.stringify(answers.map(({ method, path }) => [method, path]))}`,
          );
        }
      } finally {
        unsubscribe('orgchat.mock.answer', listener);
        proxy?.close();
        await server.close();
        assert.deepEqual(proxy?.problems ?? [], []);
      }
    });
  });
}
