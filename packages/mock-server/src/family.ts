import type { ErrorCode } from '@orgchat/spec';
import type { Sleep } from './doors/fetch.ts';
import type { Keeper } from './durable/keeper.ts';
import type { Mock } from './mock.ts';
import type { World } from './world.ts';

/** A mock as its router needs it. */
export interface Member extends Mock {
  /** The state as it is; replaced by a reset. */
  readonly world: World;
  readonly sandboxes: ReadonlyMap<string, Member>;
  nextRequestId(): string;
}

/** What all the mocks of one `createMock` have in common: the root and its sandboxes. */
export interface Family {
  readonly sandboxes: Map<string, Member>;
  /** What in-process addresses begin with; `mock.fetch` takes any. */
  readonly origin: string;
  readonly sleep: Sleep;
  /** The code that answers have for one of the catalogue. */
  readonly codeOf: (code: ErrorCode) => string;
  readonly onError: (error: unknown) => void;
  readonly nextRequestId: () => string;
  readonly nextSandboxId: () => string;
  readonly controlToken: string | undefined;
  /** The world of a saved state; throws a `SeedError` where it is none. */
  readonly load: (state: unknown) => World;
  readonly save: (world: World) => unknown;
  /** Keeps the first mock of the family in a file. */
  readonly keeper: Keeper | undefined;
}
