import { isObject } from '@orgchat/spec';
import { readRefusal, zeroId, zeroRevision } from '../answers.ts';
import type { Probe } from '../probe.ts';
import type { ProbeResult } from '../probe-result.ts';

const topics = ['write.forbidden', 'codes.forbidden'] as const;

/**
 * A change with a read key, about a record that does not exist: it could not be applied with any key. It is sent only if
 * the account of that key says that it is a read key of this organization.
 */
export const forbiddenProbe: Probe = {
  name: 'forbidden/update',
  group: 'forbidden',
  topics,
  clauses: ['3.8', '7.1.1', '7.1.4'],
  async ask({ send, account, toOperationId }) {
    const { json } = await send({ method: 'GET', path: '/me', key: 'read' });
    const key = isObject(json) ? json.key : undefined;
    const isReadKey =
      isObject(json) &&
      json.organizationId === account.organizationId &&
      isObject(key) &&
      key.scope === 'read';
    if (!isReadKey)
      return topics.map(
        (topic): ProbeResult => ({
          topic,
          place: 'a read key',
          unknown: 'the key of --read-key-file is not a read key of this organization',
        }),
      );
    const guard = { id: zeroId, expectedRevision: zeroRevision, expectedLabel: 'none' };
    const change = { action: 'update-tags', ...guard, data: { name: 'none', color: 'neutral' } };
    const answer = await send({
      method: 'POST',
      path: '/chat/changes',
      key: 'read',
      body: { operationId: toOperationId('forbidden/update'), change },
    });
    return readRefusal(answer, 'a read key', 'forbidden', { topic: 'write.forbidden', clause: '3.8' });
  },
};
