import { emitFleetEvent } from '../events/fleet-events.ts';
import type { RedisClient } from './driver.ts';
import { deadAfterMs, journalScripts } from './journal-scripts.ts';
import { createScriptRunner, type ScriptRunner } from './script-runner.ts';

/** Shows other processes that this one is alive, for as long as it holds something. */
export interface Holder {
  /** Names this process. */
  readonly name: string;
  /** Begins a hold on something, or renews it. It ends with its lease, in milliseconds, unless `end` is called before. */
  begin(what: string, token: string, leaseMs: number): void;
  /** Ends the hold of a token; without one, every hold on it. */
  end(what: string, token?: string): void;
}

/** How often a process shows that it is alive, in milliseconds. */
const beatMs = 1_000;
/** How long a heartbeat is tried, in milliseconds. After that the next one says as much. */
const timeoutMs = 2_000;

/** By client and prefix: one heartbeat for all journals of this process. */
const holders = new WeakMap<RedisClient, Map<string, Holder>>();

/** Returns the holder of this process for the journals of a client whose keys begin with a prefix. */
export function getHolder(client: RedisClient, prefix = 'orgchat'): Holder {
  const known = holders.get(client) ?? new Map<string, Holder>();
  holders.set(client, known);
  // A runner of its own: the options of one journal must not decide about the heartbeat of the others.
  const holder =
    known.get(prefix) ??
    createHolder(
      createScriptRunner(client, { what: 'The heartbeat', store: 'redisJournal', prefix, timeoutMs }),
    );
  known.set(prefix, holder);
  return holder;
}

function createHolder(runner: ScriptRunner): Holder {
  const name = crypto.randomUUID();
  /** When each hold ends, in milliseconds of `performance.now()`. */
  const holds = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let isBeating = false;
  let heardAt = 0;
  let isLost = false;
  /** Whether the engine has had a heartbeat since something is held. One that does not know it was replaced by an empty one. */
  let isKnown = false;

  async function beat(): Promise<void> {
    const now = performance.now();
    for (const [hold, endsAt] of holds) if (endsAt <= now) holds.delete(hold);
    if (holds.size === 0) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    // A driver without a connection would queue one after the other.
    if (isBeating) return;
    isBeating = true;
    // A beat that fails is followed by another one a second later.
    const answer = await runner
      .run(journalScripts.beat, [`${runner.prefix}holders`], [name])
      .catch(() => undefined);
    isBeating = false;
    if (answer !== undefined) {
      heardAt = performance.now();
      if (!isLost && isKnown && answer === 1) {
        isLost = true;
        emitFleetEvent('lock-lost', 'redis');
      }
      if (isLost) emitFleetEvent('lock-regained', 'redis');
      [isLost, isKnown] = [false, true];
    } else if (!isLost && performance.now() - heardAt >= deadAfterMs) {
      isLost = true;
      emitFleetEvent('lock-lost', 'redis');
    }
  }

  return {
    name,
    begin(what, token, leaseMs) {
      holds.set(`${what} ${token}`, performance.now() + leaseMs);
      if (timer) return;
      // The call that begins the hold shows it, too.
      [heardAt, isKnown] = [performance.now(), false];
      timer = setInterval(() => void beat(), beatMs);
      timer.unref();
    },
    end(what, token) {
      if (token !== undefined) holds.delete(`${what} ${token}`);
      else for (const hold of holds.keys()) if (hold.startsWith(`${what} `)) holds.delete(hold);
    },
  };
}
