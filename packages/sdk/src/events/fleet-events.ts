import type { FleetEvent } from './events.ts';

interface BuiltIns {
  getBuiltinModule?(
    name: string,
  ): { subscribe?(name: string, listener: (message: unknown) => void): void } | undefined;
}

/** Passes an event on to a target. */
type Deliver<Target> = (target: Target, event: FleetEvent) => unknown;

interface Receiver {
  /** Weak: a client that nobody uses any more does not stay for its listener. */
  readonly target: WeakRef<object>;
  readonly deliver: Deliver<never>;
}

/** By target: a logger or listener that many clients share gets an event once. */
const receivers = new WeakMap<object, Receiver>();
const all = new Set<Receiver>();
/** At this number of receivers, those that are gone are removed. */
let mostReceivers = 100;
let isSubscribed = false;

/**
 * Passes the events of the stores of this process on to a listener or a logger. Stores publish them on a channel of their
 * own, besides the one for everybody: a subscription to that one would make every client create all its events.
 */
export function forwardFleetEvents<Target extends object>(target: Target, deliver: Deliver<Target>): void {
  const runtime: BuiltIns | undefined = globalThis.process;
  const subscribe = runtime?.getBuiltinModule?.('node:diagnostics_channel')?.subscribe;
  if (subscribe === undefined || receivers.has(target)) return;
  const receiver: Receiver = { target: new WeakRef(target), deliver };
  receivers.set(target, receiver);
  all.add(receiver);
  if (all.size >= mostReceivers) removeGone();
  if (!isSubscribed) subscribe('orgchat.fleet', (message) => forward(message as FleetEvent));
  isSubscribed = true;
}

function forward(event: FleetEvent): void {
  for (const { target, deliver } of all) {
    const living = target.deref();
    // An error of a listener, which may be asynchronous, must not affect the store or the process.
    if (living) (async () => deliver(living as never, event))().catch(() => undefined);
  }
}

function removeGone(): void {
  for (const receiver of all) if (receiver.target.deref() === undefined) all.delete(receiver);
  mostReceivers = 2 * Math.max(all.size, 50);
}
