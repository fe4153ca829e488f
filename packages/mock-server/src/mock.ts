import { basePath } from '@orgchat/spec';
import { createFetch } from './adapters/fetch.ts';
import { bindClock, bindFaults, bindInject, bindRequests, callMethods } from './control/methods.ts';
import { findWriteKey } from './control/world.ts';
import { EventLog } from './events/event-log.ts';
import type { PlainRequest } from './http/message.ts';
import { maxKeptEvents } from './mock-limits.ts';
import { controlPath, routeRequest, sandboxPath } from './router.ts';
import { endSandbox } from './sandboxes/end-sandbox.ts';
import { SandboxLifetime } from './sandboxes/sandbox-lifetime.ts';
import type { SandboxIdentity, ServedMock, SharedServices } from './served-mock.ts';
import type { World } from './world/world.ts';

type OwnMethods = Pick<
  ServedMock,
  'addresses' | 'baseUrl' | 'controlUrl' | 'sandboxes' | 'keys' | 'writeKey' | 'listen' | 'close' | 'drop'
>;

const ownMethods: OwnMethods & ThisType<ServedMock> = {
  addresses(origin) {
    const root = this.id === undefined ? origin : `${origin}${sandboxPath}/${this.id}`;
    return { id: this.id, baseUrl: `${root}${basePath}`, controlUrl: `${root}${controlPath}` };
  },
  get baseUrl() {
    return this.addresses(this.services.origin).baseUrl;
  },
  get controlUrl() {
    return this.addresses(this.services.origin).controlUrl;
  },
  get sandboxes() {
    return this.services.sandboxes;
  },
  get keys() {
    return Array.from(this.world.keys.values(), ({ key }) => key);
  },
  get writeKey() {
    return findWriteKey(this.world);
  },
  listen(options = {}) {
    const { node } = this.services;
    if (node === undefined)
      return Promise.reject(
        new TypeError('A mock in a browser cannot listen. Pass mock.fetch to the client.'),
      );
    return node.listen(this, options);
  },
  close() {
    if (this.id === undefined) this.services.stateWriter?.close();
  },
  drop() {
    if (this.id !== undefined) this.parent?.dropSandbox(this.id);
  },
};

/** What all mocks share. The methods of the control calls are most of it. */
const prototype = Object.assign(ownMethods, callMethods);

/**
 * Puts a mock together. A reset goes back to `initialWorld`; `savedWorld` is the world of a data file that the mock
 * continues with.
 */
export function assembleMock(
  services: SharedServices,
  initialWorld: World,
  sandbox?: SandboxIdentity,
  savedWorld?: World,
): ServedMock {
  const getMock = (): ServedMock => mock;
  const clock = bindClock(getMock);
  const { id, name, parent, ttlMs } = sandbox ?? {};
  const mock: ServedMock = Object.assign(Object.create(prototype) as typeof prototype, {
    id,
    name,
    parent,
    services,
    initialWorld,
    world: savedWorld ?? initialWorld.fork(),
    isContinued: savedWorld !== undefined,
    eventLog: sandbox === undefined ? services.rootEvents : new EventLog(maxKeptEvents),
    lifetime:
      ttlMs === undefined
        ? undefined
        : new SandboxLifetime(ttlMs, services.machineTime, () => endSandbox(mock, 'expired')),
    faults: bindFaults(getMock),
    requests: { ...bindRequests(getMock), dropped: () => mock.world.requestLog.dropped },
    inject: bindInject(getMock),
    clock: { ...clock, advance: (milliseconds: number) => void clock.move({ advanceMs: milliseconds }) },
    handle: (request: PlainRequest) => routeRequest(mock, request),
    fetch: createFetch({ handle: (request) => mock.handle(request) }, services.sleep),
  });
  mock.world.sendEventsTo(mock.eventLog);
  if (id === undefined) services.stateWriter?.track(mock.world);
  return mock;
}
