import type { Intent, ServerPhase } from './plan.ts';

/** A mistake put in on purpose, to see that the oracle finds it. */
export type Bug = 'new-id-on-retry' | 'journal-after-send' | 'answer-before-write';

/** The outcome of an intent, as its client reports it. */
export interface Report {
  readonly label: string;
  /** `doubled`: a keyword was there already when it was added. */
  readonly outcome: 'applied' | 'refused' | 'unknown' | 'doubled';
  /** Of an outcome that stayed unknown: what the records said of it. */
  readonly verdict?: 'applied' | 'not-applied' | 'inconclusive';
}

/** What a client is started with. */
export interface ClientOrders {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly journal: string;
  readonly intents: readonly Intent[];
  /** Labels whose hazard has struck: it strikes once. */
  readonly struck: readonly string[];
  readonly bug?: Bug | undefined;
}

/** What a server is started with. */
export interface ServerOrders {
  readonly data: string;
  readonly seed: string;
  readonly port: number;
  readonly bug?: Bug | undefined;
}

/** What a client asks the driver; each is answered. */
export type Question =
  /** Answered once the server takes connections, with its process. */
  | { readonly ask: 'server' }
  /** Answered once it is remembered, and the server that is to die knows when. */
  | { readonly ask: 'hazard'; readonly label: string; readonly server?: ServerPhase }
  /** Answered once every client has asked. */
  | { readonly ask: 'all' }
  /** An intent is known to be applied: from here on the server may not lose it. */
  | { readonly ask: 'applied'; readonly label: string }
  | { readonly ask: 'report'; readonly reports: readonly Report[] };

export interface Answer {
  readonly to: number;
  readonly pid: number;
}
