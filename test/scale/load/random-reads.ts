import { type Json, resources } from '../../models/reference-model/resources.ts';
import type { ClientState, Step } from './client-step.ts';
import { reading } from './inventory.ts';
import { getKey } from './seed.ts';

/** A random read. For records that the client changed, the expected revision is known. */
export function read(state: ClientState): Step {
  const { random, number, inventory } = state;
  const key = getKey(random.percent(70) ? 'reader' : 'writer', number);
  const chat = (kind: string, body: Json, learn?: Step['learn']): Step => ({
    kind,
    request: reading('/chat/read', key, body),
    expected: ['200'],
    ...(learn && { learn }),
  });
  const page = { offset: random.pick([0, 0, 1, 5, 1_000_000]), limit: random.pick([1, 7, 50]) };
  const friend = random.pick(inventory.friends);
  return random.pick<() => Step>([
    () => ({ kind: 'account', request: { method: 'GET', path: '/me', key }, expected: ['200'] }),
    () => chat('list', { resource: random.pick(resources) }),
    () => chat('page', { resource: random.pick(resources), ...page }),
    () => chat('friends', { resource: 'friends', search: random.pick(['a', '', '千佳', 'nobody']), ...page }),
    () => chat('accounts', { resource: 'accounts' }),
    () => chat('conversations', { resource: 'conversations' }),
    () => chat('messages', { resource: 'messages', ...friend, limit: page.limit }),
    () => chat('automations', { resource: 'friend-automations', ...friend }),
    () => chat('submissions', { resource: 'form-submissions', id: random.pick(inventory.records.forms) }),
    () => chat('clicks', { resource: 'link-clicks', id: random.pick(inventory.records.links) }),
    () =>
      chat('friend', { resource: 'friends', ...friend }, ({ record }) => {
        const { revision, label } = record as Json;
        state.friend = { ...friend, revision: String(revision), label: String(label) };
        return undefined;
      }),
    () => own(state, key) ?? chat('list', { resource: 'tags' }),
    () => own(state, key) ?? chat('list', { resource: 'links' }),
    () => studio(state, key),
    () => studio(state, key),
  ])();
}

/** A record that this client created, or one that it deleted. */
function own({ random, own, gone }: ClientState, key: string): Step | undefined {
  const known = random.percent(80) ? own : gone;
  if (known.length === 0) return undefined;
  const { resource, id, revision } = random.pick(known);
  const request = reading('/chat/read', key, { resource, id: random.percent(20) ? id.toUpperCase() : id });
  if (known === gone) return { kind: 'gone', request, expected: ['404 NOT_FOUND'] };
  return {
    kind: 'record',
    request,
    expected: ['200'],
    learn: ({ record }) => {
      const found = (record as Json | undefined)?.revision;
      return found === revision ? undefined : `the revision is ${String(found)}, not ${revision}`;
    },
  };
}

function studio(state: ClientState, key: string): Step {
  const { random, inventory, cursor } = state;
  const step = (kind: string, body: Json, learn?: Step['learn']): Step => ({
    kind,
    request: reading('/studio/read', key, body),
    expected: ['200'],
    ...(learn && { learn }),
  });
  if (cursor !== undefined && random.percent(50)) {
    state.cursor = undefined;
    return step('next documents', { resource: 'documents', ...cursor });
  }
  const projectId = random.pick(inventory.projects);
  if (random.percent(30)) return step('projects', { resource: 'projects', archived: random.percent(50) });
  return step('documents', { resource: 'documents', projectId }, ({ next }) => {
    state.cursor = typeof next === 'string' ? { projectId, cursor: next } : undefined;
    return undefined;
  });
}
