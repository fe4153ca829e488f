import type { SandboxEvent } from '../events/event-types.ts';
import type { LimitsPatch } from '../generated/public-types.ts';
import { ControlError } from '../input-checks/control-error.ts';
import type { Limits } from '../mock-interface.ts';
import type { Key } from '../records/key.ts';
import { parseRequestId } from '../request-log/read-log.ts';
import { toSandboxEvent } from '../sandboxes/end-sandbox.ts';
import { demoKeys } from '../seed/demo.ts';
import type { ServedMock } from '../served-mock.ts';
import type { KeptState } from '../world/history.ts';
import type { World } from '../world/world.ts';

/* What calls do with the world of a mock as a whole. */

/** Replaces the state of a mock. */
export function replaceWorld(mock: ServedMock, world: World, action: SandboxEvent['action']): void {
  const { id, services, eventLog } = mock;
  if (id === undefined) services.stateWriter?.track(world);
  // A request that is still in flight ends in the old state, which nobody can read.
  mock.world.sendEventsTo(undefined);
  if (world.requestLog !== mock.world.requestLog) mock.world.requestLog.clear();
  world.sendEventsTo(eventLog);
  mock.world = world;
  eventLog.add('sandbox', toSandboxEvent(mock, action));
}

/** The limits of a world. */
export const readLimits = ({ limiter, monthlyLimit, historySize }: World): Limits => ({
  rateLimit: limiter.perMinute ?? 'off',
  monthlyLimit,
  history: historySize,
});

/** Changes the limits of a world, effective with its next request. Returns all limits. */
export function setLimits(world: World, { rateLimit, monthlyLimit, history }: LimitsPatch): Limits {
  if (rateLimit !== undefined) world.limiter.perMinute = rateLimit === 'off' ? undefined : rateLimit;
  if (monthlyLimit !== undefined) world.monthlyLimit = monthlyLimit;
  if (history !== undefined) world.historySize = history;
  return readLimits(world);
}

/** A key that may write: the demo write key if possible, otherwise the first such key of the seed. */
export function findWriteKey(world: World): string | undefined {
  const usable = [...world.keys.values()].filter((key) => mayWrite(world, key)).map(({ key }) => key);
  return usable.find((key) => key === demoKeys.write) ?? usable[0];
}

function mayWrite(world: World, { organizationId, scope, revoked, suspended, editor }: Key): boolean {
  const settings = world.organizations.get(organizationId)?.settings;
  if (settings === undefined || settings.deleted || !world.plans.get(settings.plan)?.apiAccess) return false;
  return scope === 'write' && editor && !revoked && !suspended;
}

/**
 * Finds the state before a request, by its id or its requestId. Throws a `ControlError`: 409 if history is off, if the
 * request changed nothing, or if its state is not kept any more, and 404 if the world does not know the request.
 */
export function findKeptState(world: World, request: number | string): KeptState {
  const { history, requestLog } = world;
  if (history === undefined) {
    throw new ControlError(
      409,
      'HISTORY_OFF',
      `History is off, so the state before request ${request} was not kept. Turn it on before the requests to go back to: PATCH /limits { "history": 100 }, orgchat mock start --history 100, or createMock({ history: 100 }).`,
    );
  }
  const id = parseRequestId(request);
  const found = history.find(id);
  if (found !== undefined) return found;
  const kept = history.list();
  const [oldest] = kept;
  const has =
    oldest === undefined ? 'No state is kept yet.' : `The oldest state kept is ${describe(oldest)}.`;
  const extra = { oldest: oldest === undefined ? null : { id: oldest.id, requestId: oldest.requestId } };
  const trace = requestLog.find(id);
  if (trace === undefined) {
    throw new ControlError(
      404,
      'NOT_FOUND',
      `There is no request ${request} in this world. ${has} For a request to a sandbox, use the control URL of that sandbox.`,
      extra,
    );
  }
  if (trace.applied || trace.isKept) {
    throw new ControlError(
      409,
      'STATE_NOT_KEPT',
      `The state before request ${request} is not kept. ${has} History keeps the last ${history.capacity} requests that changed something: PATCH /limits { "history": N } for more from now on.`,
      extra,
    );
  }
  const next = kept.find((state) => state.id > trace.id);
  const advice =
    next === undefined ? has : `The next request that changed something is ${next.id} (${next.requestId}).`;
  throw new ControlError(
    409,
    'NOTHING_CHANGED',
    `Request ${request} changed nothing, so there is nothing to undo. ${advice}`,
    extra,
  );
}

const describe = ({ id, requestId }: KeptState): string => `that before request ${id} (${requestId})`;

/** A world with an earlier state. It shares clock, limits, faults and request log with the world that it replaces. */
export function rewindWorld(world: World, { state }: KeptState): World {
  const rewound = world.withState(state);
  for (const organization of rewound.organizations.values()) {
    // The month's requests are limits, which a rewind does not change.
    organization.usage = world.organizations.get(organization.id)?.usage ?? organization.usage;
    organization.freeRunningOperations();
  }
  return rewound;
}

/** A world of its own with an earlier state: the same time and limits, nothing counted for the minute limit. */
export function branchWorld(world: World, { state }: KeptState): World {
  const branch = world.branch(state);
  for (const organization of branch.organizations.values()) organization.freeRunningOperations();
  return branch;
}
