import { resources } from '../../models/reference-model/resources.ts';
import type { ClientState } from './client-step.ts';
import type { Control } from './control.ts';
import { clientsPerWorld, getKey } from './seed.ts';

const hour = 3_600_000;

/** Makes one random control API call while requests are in progress. */
export async function callControl(control: Control, { random, inventory }: ClientState): Promise<void> {
  const call = (method: string, path: string, body?: unknown) => () => control.call(method, path, body);
  const key = getKey(random.pick(['writer', 'reader'] as const), random.below(clientsPerWorld));
  const resource = random.pick(resources);
  await random.pick<() => Promise<unknown>>([
    call('POST', '/reset'),
    async () => control.call('PUT', '/state', await control.call('GET', '/state')),
    call('PATCH', '/organization', { runtime: random.pick(['up', 'up', 'down']) }),
    call('PATCH', '/organization', { studio: random.percent(70), plan: random.pick(['business', 'free']) }),
    call('PATCH', '/organization', { deleted: random.percent(30) }),
    call('PATCH', `/keys/${key}`, { revoked: random.percent(30), suspended: random.percent(30) }),
    call('PATCH', `/keys/${key}`, { accountIds: random.pick([null, [], inventory.accounts.slice(0, 1)]) }),
    call('POST', '/clock', { advanceMs: random.pick([1, hour, 24 * hour]), frozen: random.percent(30) }),
    async () => {
      const [tag] = inventory.records.tags;
      await control.call('POST', '/edit', { resource: 'tags', id: tag, data: { color: 'orange' } });
    },
    call('GET', random.pick(['/health', '/clock', '/faults', '/requests', '/operations', '/audit'])),
    call('GET', random.pick(['/notifications', '/sites/demo-site/keywords'])),
    call('DELETE', '/requests'),
    async () => {
      const { id, controlUrl } = await control.call('POST', '/sandboxes', {});
      await control.of(String(controlUrl)).call('GET', '/health');
      await control.call('DELETE', `/sandboxes/${String(id)}`);
    },
    call('POST', '/faults', { effect: 'delay', delayMs: 1, resource }),
  ])();
}
