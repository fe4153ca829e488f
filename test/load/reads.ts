import { type Json, resources } from '../model/resources.ts';
import { reading } from './inventory.ts';
import { keyOf } from './seed.ts';
import type { Memory, Step } from './step.ts';

/** A read by chance; of what the visitor changed, it knows what it must be. */
export function read(memory: Memory): Step {
  const { draw, number, inventory } = memory;
  const key = keyOf(draw.percent(70) ? 'reader' : 'writer', number);
  const chat = (kind: string, body: Json, learn?: Step['learn']): Step => ({
    kind,
    request: reading('/chat/read', key, body),
    expected: ['200'],
    ...(learn && { learn }),
  });
  const page = { offset: draw.of([0, 0, 1, 5, 1_000_000]), limit: draw.of([1, 7, 50]) };
  const friend = draw.of(inventory.friends);
  return draw.of<() => Step>([
    () => ({ kind: 'account', request: { method: 'GET', path: '/me', key }, expected: ['200'] }),
    () => chat('list', { resource: draw.of(resources) }),
    () => chat('page', { resource: draw.of(resources), ...page }),
    () => chat('friends', { resource: 'friends', search: draw.of(['a', '', '千佳', 'nobody']), ...page }),
    () => chat('accounts', { resource: 'accounts' }),
    () => chat('conversations', { resource: 'conversations' }),
    () => chat('messages', { resource: 'messages', ...friend, limit: page.limit }),
    () => chat('automations', { resource: 'friend-automations', ...friend }),
    () => chat('submissions', { resource: 'form-submissions', id: draw.of(inventory.records.forms) }),
    () => chat('clicks', { resource: 'link-clicks', id: draw.of(inventory.records.links) }),
    () =>
      chat('friend', { resource: 'friends', ...friend }, ({ record }) => {
        const { revision, label } = record as Json;
        memory.friend = { ...friend, revision: String(revision), label: String(label) };
        return undefined;
      }),
    () => own(memory, key) ?? chat('list', { resource: 'tags' }),
    () => own(memory, key) ?? chat('list', { resource: 'links' }),
    () => studio(memory, key),
    () => studio(memory, key),
  ])();
}

/** A record of one's own, or one that is gone. */
function own({ draw, own, gone }: Memory, key: string): Step | undefined {
  const known = draw.percent(80) ? own : gone;
  if (known.length === 0) return undefined;
  const { resource, id, revision } = draw.of(known);
  const request = reading('/chat/read', key, { resource, id: draw.percent(20) ? id.toUpperCase() : id });
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

function studio(memory: Memory, key: string): Step {
  const { draw, inventory, cursor } = memory;
  const step = (kind: string, body: Json, learn?: Step['learn']): Step => ({
    kind,
    request: reading('/studio/read', key, body),
    expected: ['200'],
    ...(learn && { learn }),
  });
  if (cursor !== undefined && draw.percent(50)) {
    memory.cursor = undefined;
    return step('next documents', { resource: 'documents', ...cursor });
  }
  const projectId = draw.of(inventory.projects);
  if (draw.percent(30)) return step('projects', { resource: 'projects', archived: draw.percent(50) });
  return step('documents', { resource: 'documents', projectId }, ({ next }) => {
    memory.cursor = typeof next === 'string' ? { projectId, cursor: next } : undefined;
    return undefined;
  });
}
