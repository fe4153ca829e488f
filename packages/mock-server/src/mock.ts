import { basePath } from '@orgchat/spec';
import { createFetch } from './adapters/fetch.ts';
import { listen } from './adapters/listen.ts';
import { bindCalls } from './control/methods.ts';
import { findWriteKey } from './control/world.ts';
import { EventLog } from './events/event-log.ts';
import type { Addresses } from './mock-interface.ts';
import { maxKeptEvents } from './mock-limits.ts';
import { controlPath, routeRequest, sandboxPath } from './router.ts';
import { SandboxLifetime } from './sandbox-lifetime.ts';
import type { SandboxIdentity, ServedMock, SharedServices } from './served-mock.ts';
import type { World } from './world/world.ts';

/**
 * Puts a mock together: its state, its addresses, and the methods of the control calls, which do the rest. A reset goes
 * back to `initialWorld`; `savedWorld` is the world of a data file that the mock continues with.
 */
export function assembleMock(
  services: SharedServices,
  initialWorld: World,
  sandbox?: SandboxIdentity,
  savedWorld?: World,
): ServedMock {
  const id = sandbox?.id;
  const addresses = (origin: string): Addresses => {
    const root = id === undefined ? origin : `${origin}${sandboxPath}/${id}`;
    return { id, baseUrl: `${root}${basePath}`, controlUrl: `${root}${controlPath}` };
  };
  const drop = (): void => {
    if (id !== undefined) mock.dropSandbox(id);
  };
  const calls = bindCalls(() => mock);
  const mock: ServedMock = {
    ...calls,
    requests: { ...calls.requests, dropped: () => mock.world.requestLog.dropped },
    clock: { ...calls.clock, advance: (milliseconds) => void mock.clock.move({ advanceMs: milliseconds }) },
    id,
    name: sandbox?.name,
    parent: sandbox?.parent,
    services,
    initialWorld,
    world: savedWorld ?? initialWorld.fork(),
    isContinued: savedWorld !== undefined,
    eventLog: sandbox === undefined ? services.rootEvents : new EventLog(maxKeptEvents),
    sandboxes: services.sandboxes,
    lifetime:
      sandbox?.ttlMs === undefined
        ? undefined
        : new SandboxLifetime(sandbox.ttlMs, services.machineTime, drop),
    addresses,
    drop,
    get baseUrl() {
      return addresses(services.origin).baseUrl;
    },
    get controlUrl() {
      return addresses(services.origin).controlUrl;
    },
    get keys() {
      return Array.from(mock.world.keys.values(), ({ key }) => key);
    },
    get writeKey() {
      return findWriteKey(mock.world);
    },
    handle: (request) => routeRequest(mock, request),
    fetch: createFetch({ handle: (request) => mock.handle(request) }, services.sleep),
    listen: (options = {}) => listen(mock, services, options),
    close: () => {
      if (id === undefined) services.stateWriter?.close();
    },
  };
  mock.world.sendEventsTo(mock.eventLog);
  if (id === undefined) services.stateWriter?.track(mock.world);
  return mock;
}
