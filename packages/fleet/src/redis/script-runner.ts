import { createHash } from 'node:crypto';
import type { StoreName } from '../events/fleet-events.ts';
import { getStoreHealth } from '../events/store-health.ts';
import { FleetError } from '../fleet-error.ts';
import type { StoreDiagnosis } from '../internal.ts';
import { type RepeatOptions, repeatCall } from '../repeated-call.ts';
import type { StoreWarning } from '../store-warning.ts';
import { createDriver, type RedisClient, type RedisDriver } from './driver.ts';
import { checkEngine, diagnoseRedis } from './engine-check.ts';
import { isAmbiguous, isTransient, toFleetError } from './engine-error.ts';
import { parseReplyCode } from './reply-code.ts';

/** A script in Lua, which Redis runs as one step. */
export interface Script {
  readonly text: string;
  /** By which Redis knows a script that it has run. */
  readonly digest: string;
  /** Whether its answer is an integer, or which items of its answer are, by their index. */
  isInteger(index: number): boolean;
}

/** Creates a script, whose answer consists of integers unless `isInteger` says which of its items do. */
export function createScript(text: string, isInteger: Script['isInteger'] = () => true): Script {
  return { text, digest: createHash('sha1').update(text).digest('hex'), isInteger };
}

/** Of a script whose answer has no integers. */
export const isText = (): boolean => false;

/** Returns an answer whose integers are numbers. Some clients return them as texts. */
function toNumbers(answer: unknown, { isInteger }: Script): unknown {
  const toNumber = (item: unknown, index: number): unknown =>
    typeof item === 'string' && isInteger(index) ? Number(item) : item;
  return Array.isArray(answer) ? answer.map(toNumber) : toNumber(answer, 0);
}

/** Runs scripts that may be repeated. */
export interface ScriptRunner {
  /** What every key begins with. It names one slot of a cluster. */
  readonly prefix: string;
  /**
   * Runs a script, and repeats it while the engine cannot be reached, at most for the time limit. `onDoubt` is called if
   * the script may have been executed although this rejects, and again if it ends after that. Returns texts as strings and
   * integers as numbers, over every client.
   */
  run(
    script: Script,
    keys: readonly string[],
    args: readonly (string | number)[],
    onDoubt?: () => void,
  ): Promise<unknown>;
  /** Checks the settings of the engine. Rejects if it cannot be reached. */
  diagnose(): Promise<readonly StoreDiagnosis[]>;
}

/** For which store scripts are run, and how. */
export interface ScriptRunnerOptions {
  /** What fails, at the start of an error message. */
  readonly what: string;
  readonly store: StoreName;
  readonly prefix: string | undefined;
  readonly timeoutMs: number;
  /** Called with what a store that has to survive cannot promise. Undefined: it need not survive. */
  readonly onWarning?: ((warning: StoreWarning) => void) | undefined;
}

/** Returns what every key begins with. The braces keep all keys in one slot of a cluster. */
function toKeyPrefix(prefix = 'orgchat'): string {
  if (typeof prefix === 'string' && /^[\w.:-]{1,64}$/.test(prefix)) return `{${prefix}}:`;
  throw new FleetError(
    `prefix must be 1 to 64 letters, digits, and characters of "_.:-"; got ${JSON.stringify(prefix)}.`,
    { code: 'INVALID_OPTIONS' },
  );
}

/** How long it takes at most to ask why a script failed, or to close a connection, in milliseconds. */
const explainMs = 500;
/** How long the settings of the engine count as checked, in milliseconds. A failover may lead to an engine with others. */
const relyMs = 60_000;

async function evaluate(
  driver: RedisDriver,
  { text, digest }: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  const rest = [String(keys.length), ...keys, ...args.map(String)];
  const [key = ''] = keys;
  try {
    return await driver.send(key, ['EVALSHA', digest, ...rest]);
  } catch (error) {
    if (parseReplyCode(error) !== 'NOSCRIPT') throw error;
    return driver.send(key, ['EVAL', text, ...rest]);
  }
}

/** Creates the runner of the scripts of one store. The first one checks the engine. */
export function createScriptRunner(
  client: RedisClient,
  { what, store, prefix, timeoutMs, onWarning }: ScriptRunnerOptions,
): ScriptRunner {
  const driver = createDriver(client, what);
  const keyPrefix = toKeyPrefix(prefix);
  const health = getStoreHealth(client, store);
  let checked: Promise<void> | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  const warned = new Set<StoreWarning['code']>();
  /** Each warning once: the settings are checked again. */
  const warnOnce =
    onWarning &&
    ((warning: StoreWarning): void => {
      if (warned.has(warning.code)) return;
      warned.add(warning.code);
      onWarning(warning);
    });

  function repeat<T>(send: () => Promise<T>, ms: number, onDoubt?: () => void): Promise<T> {
    const startedAt = performance.now();
    const limits: RepeatOptions = {
      timeoutMs: ms,
      isTransient,
      isAmbiguous,
      toError: (cause) => toFleetError(what, cause),
      createTimeoutError: () => createTimeoutError(driver.lastErrorSince(startedAt)),
    };
    return repeatCall(send, limits, onDoubt);
  }

  /** Redis answers a long command of a client that is not logged in with an error of the protocol. A short one says why. */
  async function explain(error: FleetError): Promise<FleetError> {
    if (error.systemCode !== 'ERR') return error;
    const reason = await repeat(() => driver.send(keyPrefix, ['PING']), explainMs).catch(
      (cause: FleetError) => cause,
    );
    return reason instanceof FleetError && reason.code === 'STORE_CREDENTIALS' ? reason : error;
  }

  /** A driver that connects again and again says nothing to its callers, so its last error is the reason. */
  function createTimeoutError(last: Error | undefined): FleetError {
    if (last === undefined)
      return new FleetError(
        `${what} failed: Redis did not answer within ${timeoutMs} ms. Check that it is running, and that no blocking command uses this connection.`,
        { code: 'STORE_UNAVAILABLE' },
      );
    const { code, systemCode, message } = toFleetError(what, last);
    // The script itself was not answered, so it may have been executed.
    return new FleetError(message, { code, systemCode, cause: new Error('no answer', { cause: last }) });
  }

  async function check(): Promise<void> {
    if (performance.now() - checkedAt > relyMs) {
      checkedAt = performance.now();
      checked = undefined;
    }
    checked ??= repeat(
      () => checkEngine((command) => driver.send(keyPrefix, command), what, warnOnce),
      timeoutMs,
    );
    try {
      await checked;
    } catch (error) {
      checked = undefined;
      throw error;
    }
  }

  return {
    prefix: keyPrefix,
    diagnose: () =>
      repeat(() => diagnoseRedis((command) => driver.send(keyPrefix, command), what), timeoutMs),
    async run(script, keys, args, onDoubt) {
      const startedAt = performance.now();
      const send = () => repeat(() => evaluate(driver, script, keys, args), timeoutMs, onDoubt);
      try {
        await check();
        const answer = await send().catch(async (error: FleetError) => {
          if (error.code !== 'STORE_READ_ONLY') throw await explain(error);
          // After a failover, an endpoint leads to the new primary, but this connection still to the old one.
          await repeat(() => driver.reconnect(keyPrefix, startedAt), explainMs).catch(() => undefined);
          return send();
        });
        health.succeeded(script);
        return toNumbers(answer, script);
      } catch (error) {
        // What fails because the program ends its client is no outage.
        if (!driver.isEnded()) health.failed(script, error);
        throw error;
      }
    },
  };
}
