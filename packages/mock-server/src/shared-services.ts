import type { ErrorCode } from '@orgchat/spec';
import type { StateWriter } from './data-file/state-writer.ts';
import type { EventLog } from './events/event-log.ts';
import type { EventStreams } from './events/event-streams.ts';
import type { RequestHandler } from './http/message.ts';
import type { Mock } from './mock-interface.ts';
import type { Sleep } from './options/options.ts';
import type { MachineTime, SandboxLifetime } from './sandbox-lifetime.ts';
import type { World } from './world/world.ts';

/** A mock, as the router and the adapters need it. */
export interface RoutableMock extends Mock {
  /** The current state; replaced by a reset. */
  readonly world: World;
  readonly sandboxes: ReadonlyMap<string, RoutableMock>;
  /** The mock that a sandbox was created from; undefined for the root mock. */
  readonly parent: RoutableMock | undefined;
  nextRequestId(): string;
  /** Ends a sandbox that was created with `ttlMs`. */
  readonly lifetime: SandboxLifetime | undefined;
  /** Says that this sandbox was dropped, and ends its event streams. */
  endEvents(): void;
  /** Answers a request of any adapter. */
  readonly handle: RequestHandler;
}

/** What a mock and its sandboxes have in common. */
export interface SharedServices {
  readonly sandboxes: Map<string, RoutableMock>;
  /** The origin of in-process addresses; `mock.fetch` accepts any origin. */
  readonly origin: string;
  readonly sleep: Sleep;
  readonly machineTime: MachineTime;
  /** The code that answers have for a code of the catalog. */
  readonly toServerCode: (code: ErrorCode) => string;
  readonly onError: (error: unknown) => void;
  readonly nextRequestId: () => string;
  readonly nextSandboxId: () => string;
  readonly controlToken: string | undefined;
  /** The events of the root mock, which has those about sandboxes. */
  readonly rootEvents: EventLog;
  readonly eventStreams: EventStreams;
  /** Loads a saved state; throws a `SeedError` if it is invalid. */
  readonly load: (state: unknown) => World;
  readonly save: (world: World) => unknown;
  /** Writes the state of the root mock to the data file, if there is one. */
  readonly stateWriter: StateWriter | undefined;
}
