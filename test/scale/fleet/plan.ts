import type { OrgChatError } from '@orgchat/sdk';

/** Mistakes that are planted to show that the soak finds them. */
export const plantedBugs = [
  'window-by-counter',
  'add-not-idempotent',
  'new-id-after-kill',
  'relay-of-another',
  'refusal-as-done',
] as const;
export type PlantedBug = (typeof plantedBugs)[number];

/** What the workers share. Only Postgres has an outbox. */
export const engineKinds = ['postgres', 'redis'] as const;
export type EngineKind = (typeof engineKinds)[number];

/** An organization, and the engine that has its journal and its pacing. All have their outbox in Postgres. */
export interface Organization {
  readonly id: string;
  readonly apiKey: string;
  readonly engine: EngineKind;
}

/** Two in each engine, all with the same intents. */
export const organizations: readonly Organization[] = engineKinds.flatMap((engine) =>
  ['a', 'b'].map((name) => ({ id: `${engine}-${name}`, apiKey: `key-${engine}-${name}`, engine })),
);

/** What a worker is started with, as JSON in its first argument. */
export interface WorkerTask {
  readonly worker: number;
  readonly workers: number;
  readonly intents: number;
  /** The ports of the engines, which are those of networks that fail. */
  readonly ports: Readonly<Record<EngineKind, number>>;
  readonly baseUrl: string;
  readonly perWindow: number;
  /** Undefined: a minute and a second, as the package does it. */
  readonly windowMs?: number | undefined;
  /** The file to which the worker appends what it does: it outlives a kill. */
  readonly log: string;
  readonly bugs: readonly PlantedBug[];
}

/** The organization of an intent. */
export const organizationOf = (intent: number): Organization =>
  organizations[intent % organizations.length] as Organization;

/** The number of an intent within its organization. Every organization has the same. */
export const numberOf = (intent: number): number => Math.floor(intent / organizations.length);

/** How an intent is carried out. */
export type Way = 'call' | 'outbox' | 'delivered twice' | 'without an intent';

/** Of ten intents, five are calls, three are committed to the outbox, one is delivered to two workers, one has no intent. */
export function wayOf(intent: number): Way {
  const digit = numberOf(intent) % 10;
  if (digit < 5) return 'call';
  if (digit < 8) return 'outbox';
  return digit === 8 ? 'delivered twice' : 'without an intent';
}

/** The name of the tag that an intent creates. */
export const nameOf = (intent: number): string => `Order ${intent}`;
/** The name of the tag of a transaction that is rolled back. */
export const rolledBackNameOf = (intent: number): string => `Rolled back ${intent}`;

/** A line of a worker's log. Times are in milliseconds, by the clock that all processes of a machine share. */
export type WorkerNote =
  | { readonly type: 'done'; readonly intent: number }
  | {
      readonly type: 'failed';
      readonly intent: number;
      readonly code: string;
      /** What the call said of its operation, if it said anything. */
      readonly outcome?: OrgChatError['outcome'];
      /** Whether the journal has that, so that nobody sends the operation again. */
      readonly isRecorded: boolean;
    }
  | { readonly type: 'began'; readonly intent: number }
  | { readonly type: 'finished' }
  /** A question about a place in a line. `state` is undefined if it failed. */
  | {
      readonly type: 'asked';
      readonly line: string;
      readonly place: string;
      readonly from: number;
      readonly to: number;
      readonly state?: string;
      readonly askAgainMs?: number;
    }
  | { readonly type: 'violation'; readonly what: string };

/** Milliseconds that increase at the same pace in every process of this machine, whatever happens to the time of day. */
export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1_000n) / 1_000;
