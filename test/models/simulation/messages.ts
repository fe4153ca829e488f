import type { Intent, ServerPhase } from './plan.ts';

/** A planted mistake, which the oracle must detect. */
export type Bug = 'new-id-on-retry' | 'journal-after-send' | 'answer-before-write';

/** The outcome of an intent, as its client reports it. */
export interface Report {
  readonly label: string;
  /** `doubled`: a keyword already existed when it was added. */
  readonly outcome: 'applied' | 'refused' | 'unknown' | 'doubled';
  /** The verdict of the records for an outcome that stayed unknown. */
  readonly verdict?: 'applied' | 'not-applied' | 'inconclusive';
}

/** The arguments of a client process. */
export interface ClientOrders {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly journal: string;
  readonly intents: readonly Intent[];
  /** Labels whose hazard has happened. Each happens once. */
  readonly struck: readonly string[];
  readonly bug?: Bug | undefined;
}

/** The arguments of a server process. */
export interface ServerOrders {
  readonly data: string;
  readonly seed: string;
  readonly port: number;
  readonly bug?: Bug | undefined;
}

/** The requests of a client to the driver. Each is answered. */
export type Question =
  /** Answered with the process of the server once it accepts connections. */
  | { readonly ask: 'server' }
  /** Answered once it is recorded, and the server is prepared to die. */
  | { readonly ask: 'hazard'; readonly label: string; readonly server?: ServerPhase }
  /** Answered once every client has sent this request. */
  | { readonly ask: 'all' }
  /** The intent is known to be applied. The server must not lose it from now on. */
  | { readonly ask: 'applied'; readonly label: string }
  | { readonly ask: 'report'; readonly reports: readonly Report[] };

export interface Answer {
  readonly to: number;
  readonly pid: number;
}
