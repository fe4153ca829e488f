import type { SandboxEvent } from '../events/event-types.ts';
import { toIsoString } from '../primitives/clock.ts';
import type { ServedMock } from '../served-mock.ts';
import type { GoneSandbox } from './gone-sandboxes.ts';

export const toSandboxEvent = ({ id, name }: ServedMock, action: SandboxEvent['action']): SandboxEvent => ({
  action,
  id: id ?? null,
  name: name ?? null,
});

/** Ends a sandbox, and remembers why. */
export function endSandbox(sandbox: ServedMock, reason: GoneSandbox['reason']): void {
  const { id, name, lifetime, services } = sandbox;
  const { sandboxes, goneSandboxes, rootEvents, machineTime } = services;
  if (id === undefined || !sandboxes.delete(id)) return;
  lifetime?.cancel();
  goneSandboxes.add({ id, name, at: toIsoString(machineTime.now()), reason, ttlMs: lifetime?.ttlMs });
  const event = toSandboxEvent(sandbox, 'dropped');
  rootEvents.add('sandbox', event);
  sandbox.eventLog.add('sandbox', event);
  sandbox.eventLog.close();
}
