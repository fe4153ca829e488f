/**
 * Pacing that several processes share: a line of requests in a store that all of them reach, such as
 * `postgresPacing(pool)` of `@orgchat/fleet/postgres`. A store decides by its own clock and counts a place from the
 * moment it was granted until a minute after the answer came. Each method may be repeated after a lost reply.
 */
export interface SharedPacing {
  /**
   * Takes a place at the end of a line, or asks about a place that waits in it. Places are granted in their order. A
   * place that nobody asks about for some seconds longer than `askAgainMs` leaves the line.
   *
   * @example
   * const reserve: SharedPacing['reserve'] = async ({ perMinute }) => {
   *   console.log(perMinute);
   *   return { state: 'granted', waitMs: 0, askAgainMs: 0 };
   * };
   * createClient({ pacing: { shared: { reserve, release: async () => {} } } });
   */
  reserve(request: PlaceRequest): Promise<PlaceAnswer>;
  /**
   * Ends the use of a place. A granted place that is not released counts until a minute after `holdMs`.
   *
   * @example
   * const release: SharedPacing['release'] = async (place) => console.log(place.isUnused, place.retryAfterMs);
   * const reserve: SharedPacing['reserve'] = async () => ({ state: 'granted', waitMs: 0, askAgainMs: 0 });
   * await createClient({ pacing: { shared: { reserve, release } } }).account(); // false undefined
   */
  release(place: ReleasedPlace): Promise<void>;
}

/** Identifies a place in a line of requests. */
export interface PlaceKey {
  /** Names the line: a digest of base URL and API key, 32 hexadecimal digits. It does not contain the key. */
  readonly line: string;
  /** Names the request: random, at most 64 ASCII characters. */
  readonly place: string;
}

/** A request that asks for its place, or asks again. */
export interface PlaceRequest extends PlaceKey {
  /**
   * Maximum number of places in use at once. A place is in use from its grant until a minute after the answer of its
   * request. It may be infinite.
   */
  readonly perMinute: number;
  /**
   * How long the request may take, in milliseconds, if its process dies before it releases the place: the timeout of an
   * attempt, and the two seconds that the store has for its answer. It may be infinite.
   */
  readonly holdMs: number;
  /** The longest wait, in milliseconds. A longer one is `refused`, and the place is not kept. Default: any wait. */
  readonly maxWaitMs?: number | undefined;
}

/** What a store says about a place. */
export interface PlaceAnswer {
  /** `granted`: send now. `waiting`: the place is kept, ask again. `refused`: the wait is longer than `maxWaitMs`. */
  readonly state: 'granted' | 'waiting' | 'refused';
  /** How long the place waits at least, in milliseconds. */
  readonly waitMs: number;
  /** When to ask again, in milliseconds from now. */
  readonly askAgainMs: number;
}

/** A place that is not needed any more. */
export interface ReleasedPlace extends PlaceKey {
  /** Nothing was sent: the place does not count. */
  readonly isUnused: boolean;
  /** How long nobody in the line may send, in milliseconds: the `Retry-After` of a 429, at most a minute. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * The option `pacing` of a client.
 *
 * @example
 * const half: PacingOptions = { perMinute: 30 };
 * createClient({ pacing: half });
 */
export interface PacingOptions {
  /** Requests per minute. Default 60. */
  readonly perMinute?: number | undefined;
  /** A line that several processes share. Default: the clients of this process share one. */
  readonly shared?: SharedPacing | undefined;
  /**
   * What happens if the store of `shared` fails or does not answer within 2 s. `fail`: the call rejects with
   * `PACING_FAILED`, and nothing is sent. `{ perMinute }`: this process alone keeps to that many requests per minute.
   * Default `fail`.
   */
  readonly onStoreDown?: 'fail' | { readonly perMinute: number } | undefined;
}
