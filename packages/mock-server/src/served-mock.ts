import type { ErrorCode } from '@orgchat/spec';
import type { StateWriter } from './data-file/state-writer.ts';
import type { EventLog } from './events/event-log.ts';
import type { EventStreams } from './events/event-streams.ts';
import type { AdapterAction, PlainRequest, RequestHandler } from './http/message.ts';
import type { Listening, ListenOptions, Mock } from './mock-interface.ts';
import type { Sleep } from './options/options.ts';
import type { GoneSandboxes } from './sandboxes/gone-sandboxes.ts';
import type { MachineTime, SandboxLifetime } from './sandboxes/sandbox-lifetime.ts';
import type { World } from './world/world.ts';

/** A mock, as the router, the adapters and the control calls need it. */
export interface ServedMock extends Mock {
  /** The current state. Only `replaceWorld` sets it. */
  world: World;
  /** What a reset goes back to. */
  readonly initialWorld: World;
  /** The events of this mock. Those of the root mock are also about sandboxes. */
  readonly eventLog: EventLog;
  readonly services: SharedServices;
  readonly sandboxes: ReadonlyMap<string, ServedMock>;
  /** The mock that a sandbox was created from; undefined for the root mock. */
  readonly parent: ServedMock | undefined;
  /** Ends a sandbox that was created with `ttlMs`. */
  readonly lifetime: SandboxLifetime | undefined;
  /** Answers a request of any adapter. */
  handle: RequestHandler;
}

/** What distinguishes a sandbox from the root mock. */
export interface SandboxIdentity {
  readonly id: string;
  readonly name: string | undefined;
  readonly ttlMs: number | undefined;
  readonly parent: ServedMock;
}

/** The OpenAPI documents, which are loaded with the first request for them. */
export interface Documents {
  /** Those of the API, by path. */
  readonly api: Readonly<Record<string, () => Promise<string>>>;
  /** Those of the control API. */
  readonly control: Readonly<
    Record<'yaml' | 'yaml30', () => Promise<string>> & { json: () => Promise<unknown> }
  >;
}

/** What a mock on Node has besides. In a browser, nothing listens and these addresses answer 404. */
export interface NodeServices {
  listen(mock: ServedMock, options: ListenOptions): Promise<Listening>;
  readonly documents: Documents;
  /** Serves a file of the inspector, or a clause or decision, below the control URL. */
  serveInspector(
    mock: ServedMock,
    request: PlainRequest,
    file: string,
    requestId: string,
  ): Promise<AdapterAction>;
}

/** What a mock and its sandboxes have in common. */
export interface SharedServices {
  readonly sandboxes: Map<string, ServedMock>;
  /** The sandboxes that were dropped or expired. */
  readonly goneSandboxes: GoneSandboxes;
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
  readonly createSandbox: (initialWorld: World, identity: SandboxIdentity) => ServedMock;
  /** Undefined in a browser. */
  readonly node: NodeServices | undefined;
  /** Writes the state of the root mock to the data file, if there is one. */
  readonly stateWriter: StateWriter | undefined;
}
