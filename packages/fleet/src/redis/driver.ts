import { FleetError } from '../fleet-error.ts';

/** What this package needs of a client of `ioredis`: `new Redis(…)` or `new Cluster(…)`. */
export interface IoredisClient {
  readonly status: string;
  call(command: string, ...args: string[]): Promise<unknown>;
  on(event: 'error' | 'ready', listener: (error: Error) => void): unknown;
}

/**
 * What this package needs of a client of `redis` (node-redis): `createClient(…)`, `createClientPool(…)`,
 * `createCluster(…)` or `createSentinel(…)`, after `connect()`.
 */
export interface NodeRedisClient {
  readonly isOpen: boolean;
  // The kinds of clients declare different parameters.
  sendCommand(...args: never[]): Promise<unknown>;
  on(event: 'error' | 'ready', listener: (error: Error) => void): unknown;
}

/** A client of one of both drivers. */
export type RedisClient = IoredisClient | NodeRedisClient;

/** Sends commands over either driver. */
export interface RedisDriver {
  /** Sends a command to the node of a key. Texts of the answer are strings. */
  send(key: string, args: readonly string[]): Promise<unknown>;
  /**
   * Closes the connection to the node of a key, unless that happened since a moment of `performance.now()` or just before.
   * The client opens another one, perhaps to another engine behind the same address.
   */
  reconnect(key: string, moment: number): Promise<void>;
  /** Whether the program has ended the client, or has not connected it. A driver that gives up connecting closes it, too. */
  isEnded(): boolean;
  /** Returns the last error of the connection that came after a moment of `performance.now()`. */
  lastErrorSince(moment: number): Error | undefined;
}

type Send = (...args: unknown[]) => Promise<unknown>;

function isIoredis(client: RedisClient): client is IoredisClient {
  return typeof (client as Partial<IoredisClient>).call === 'function';
}

/** Returns how a client of node-redis takes a command: those of several nodes also need the key it belongs to. */
function createNodeRedisSend(client: NodeRedisClient): RedisDriver['send'] {
  const send = client.sendCommand.bind(client) as Send;
  if ('getSlotRandomNode' in client) return (key, args) => send(key, false, args);
  if ('getMasterNode' in client || 'sentinelRootNodes' in client) return (_key, args) => send(false, args);
  return (_key, args) => send(args);
}

const isClosed = (client: RedisClient): boolean =>
  isIoredis(client) ? client.status === 'end' : !client.isOpen;

/**
 * Whether ioredis has asked its `retryStrategy` since it was connected last. If that says at once that it is over, no event
 * differs from those of a client that was ended.
 */
const hasRetried = (client: RedisClient): boolean =>
  Number((client as { readonly retryAttempts?: unknown }).retryAttempts) > 0;

/** What all stores of a client share. */
interface WatchedClient {
  readonly lastErrorSince: RedisDriver['lastErrorSince'];
  /** Whether its last connection broke, or could not be made, and there has been no other one since. */
  isBroken: boolean;
  /** When its connection was closed last, and the end of that. */
  closed: { readonly at: number; readonly done: Promise<void> };
}

/** By client: one listener for all stores of a client, which would soon be too many for Node. */
const watched = new WeakMap<RedisClient, WatchedClient>();

/** Returns what knows the last error of a client. */
function watch(client: RedisClient): WatchedClient {
  const known = watched.get(client);
  if (known) return known;
  let last: { readonly error: Error; readonly at: number } | undefined;
  const state: WatchedClient = {
    lastErrorSince: (moment) => (last && last.at >= moment ? last.error : undefined),
    isBroken: false,
    closed: { at: Number.NEGATIVE_INFINITY, done: Promise.resolve() },
  };
  // Without a listener, node-redis ends the process when a connection breaks.
  client.on('error', (error) => {
    last = { error, at: performance.now() };
    state.isBroken = true;
  });
  client.on('ready', () => {
    state.isBroken = false;
  });
  watched.set(client, state);
  return state;
}

/** The shortest time between two connections that are closed, in milliseconds. The other one may be read-only, too. */
const pauseMs = 1_000;

/**
 * Has the engine close the connection, which every driver takes as a reason to open another one. Id and address together
 * never name a connection of another engine, if the client has opened one to it in the meantime.
 */
async function closeConnection(send: (args: readonly string[]) => Promise<unknown>): Promise<void> {
  const info = String(await send(['CLIENT', 'INFO']));
  const [, id] = /\bid=(\d+)/.exec(info) ?? [];
  const [, address] = /\baddr=(\S+)/.exec(info) ?? [];
  if (id && address) await send(['CLIENT', 'KILL', 'ID', id, 'ADDR', address, 'SKIPME', 'no']);
}

/** Some clients return texts as bytes. */
function toText(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(toText);
  return answer instanceof Uint8Array ? Buffer.from(answer).toString() : answer;
}

/** Returns the driver of a client. Throws `INVALID_OPTIONS` if it is neither. */
export function createDriver(client: RedisClient, what: string): RedisDriver {
  const { call, sendCommand, on } = Object(client) as Partial<IoredisClient & NodeRedisClient>;
  if (typeof on !== 'function' || (typeof call !== 'function' && typeof sendCommand !== 'function')) {
    throw new FleetError(`${what} requires an ioredis or node-redis client.`, { code: 'INVALID_OPTIONS' });
  }
  const send: RedisDriver['send'] = isIoredis(client)
    ? (_key, [command = '', ...args]) => client.call(command, ...args)
    : createNodeRedisSend(client);
  const state = watch(client);
  const hasGivenUp = (): boolean => isClosed(client) && (state.isBroken || hasRetried(client));

  /** Says why a client is closed, and what to do. */
  function explainClosed(): string {
    if (hasGivenUp()) {
      const strategy = isIoredis(client) ? 'retryStrategy' : 'reconnectStrategy';
      return `its driver has given up connecting. Create another one, whose ${strategy} always returns a time.`;
    }
    return isIoredis(client)
      ? 'the client is closed. It was ended by quit() or disconnect(): create another one.'
      : 'the client is closed. Call await client.connect() first.';
  }

  return {
    async send(key, args) {
      if (isClosed(client))
        throw new FleetError(`${what} failed: ${explainClosed()}`, { code: 'STORE_UNAVAILABLE' });
      const answer = await send(key, args);
      state.isBroken = false;
      return toText(answer);
    },
    reconnect(key, moment) {
      if (state.closed.at < moment - pauseMs) {
        // A connection that breaks in the meantime is what is wanted.
        const done = closeConnection((args) => send(key, args)).catch(() => undefined);
        state.closed = { at: performance.now(), done };
      }
      return state.closed.done;
    },
    isEnded: () => isClosed(client) && !hasGivenUp(),
    lastErrorSince: state.lastErrorSince,
  };
}
