import type { Redactor } from '../errors/redact.ts';
import type { ClientEvent } from './events.ts';
import { forwardFleetEvents } from './fleet-events.ts';
import { type Logger, logEvent } from './log-events.ts';

interface Channel {
  readonly hasSubscribers: boolean;
  publish(message: unknown): void;
}

interface BuiltIns {
  getBuiltinModule?(name: string): { channel?(name: string): Channel } | undefined;
}

/**
 * Emits an event to the listener and the logger of a client and to the channel of the process. It is created only if one
 * of them exists.
 */
export type Emit = (make: () => ClientEvent) => void;

/** Creates the function that emits the events of a client. */
export function createEmitter(
  listener: ((event: ClientEvent) => void) | undefined,
  logger: Logger | undefined,
): Emit {
  // The channel `orgchat` of `node:diagnostics_channel`, if the runtime has it; asked for, not imported.
  const runtime: BuiltIns | undefined = globalThis.process;
  const channel = runtime?.getBuiltinModule?.('node:diagnostics_channel')?.channel?.('orgchat');
  if (listener) forwardFleetEvents(listener, callListener);
  if (logger) forwardFleetEvents(logger, logEvent);
  return (make) => {
    if (!listener && !logger && !channel?.hasSubscribers) return;
    const event = make();
    // An error of a listener, which may be asynchronous, must not affect the call or the process.
    (async () => listener?.(event))().catch(() => undefined);
    (async () => logger && logEvent(logger, event))().catch(() => undefined);
    channel?.publish(event);
  };
}

const callListener = (listener: (event: ClientEvent) => void, event: ClientEvent): void => listener(event);

/** Emits that the entry of an operation could not be written. What a journal throws may have the key. */
export function emitUnwritten(
  { emit, redactor }: { readonly emit: Emit; readonly redactor: Redactor },
  location: string,
  cause: unknown,
): void {
  const message = redactor.text(`${cause}`);
  emit(() => ({ type: 'journal', problem: { location, reason: 'write', message } }));
}
