import { resources } from '../model/resources.ts';
import type { Control } from './control.ts';
import { keyOf, visitorsAWorld } from './seed.ts';
import type { Memory } from './step.ts';

const hour = 3_600_000;

/** One call of the control API, as a tester makes them while requests are under way. */
export async function move(control: Control, { draw, inventory }: Memory): Promise<void> {
  const call = (method: string, path: string, body?: unknown) => () => control.call(method, path, body);
  const key = keyOf(draw.of(['writer', 'reader'] as const), draw.below(visitorsAWorld));
  const resource = draw.of(resources);
  await draw.of<() => Promise<unknown>>([
    call('POST', '/reset'),
    async () => control.call('PUT', '/state', await control.call('GET', '/state')),
    call('PATCH', '/organization', { runtime: draw.of(['up', 'up', 'down']) }),
    call('PATCH', '/organization', { studio: draw.percent(70), plan: draw.of(['business', 'free']) }),
    call('PATCH', '/organization', { deleted: draw.percent(30) }),
    call('PATCH', `/keys/${key}`, { revoked: draw.percent(30), suspended: draw.percent(30) }),
    call('PATCH', `/keys/${key}`, { accountIds: draw.of([null, [], inventory.accounts.slice(0, 1)]) }),
    call('POST', '/clock', { advanceMs: draw.of([1, hour, 24 * hour]), frozen: draw.percent(30) }),
    async () => {
      const [tag] = inventory.records.tags;
      await control.call('POST', '/edit', { resource: 'tags', id: tag, data: { color: 'orange' } });
    },
    call('GET', draw.of(['/health', '/clock', '/faults', '/requests', '/operations', '/audit'])),
    call('GET', draw.of(['/notifications', '/sites/demo-site/keywords'])),
    call('DELETE', '/requests'),
    async () => {
      const { id, controlUrl } = await control.call('POST', '/sandboxes', {});
      await control.of(String(controlUrl)).call('GET', '/health');
      await control.call('DELETE', `/sandboxes/${String(id)}`);
    },
    call('POST', '/faults', { effect: 'delay', delayMs: 1, resource }),
  ])();
}
