import type { Cleanup } from '../cleanup.ts';
import { type StoreInternals, takeLock } from '../internal.ts';
import type { Holder } from './holder.ts';
import { clock, deadAfterMs } from './journal-scripts.ts';
import { createScript, type ScriptRunner } from './script-runner.ts';

/**
 * Keys: the lock, a hash with its text, and the holders. Arguments: token, lease in milliseconds, holder, owner, whether
 * it is a renewal. A lock that ended stays, so that its last holder cannot renew it after another one.
 */
const give = createScript(`${clock}
local token, lease, holder, owner, is_renewal = unpack(ARGV)
local known = redis.call('HMGET', KEYS[1], 'token', 'lease', 'holder')
if known[1] and known[1] ~= token then
  local beat = redis.call('ZSCORE', KEYS[2], known[3])
  local is_alive = beat and now - beat < ${deadAfterMs}
  if is_renewal == '1' or (tonumber(known[2]) > now and is_alive) then return 0 end
end
redis.call('HSET', KEYS[1], 'token', token, 'lease', now + lease, 'holder', holder, 'owner', owner)
redis.call('ZADD', KEYS[2], now, holder)
return 1`);
const read = createScript("return redis.call('HMGET', KEYS[1], 'owner', 'text')");
const write = createScript("return redis.call('HSET', KEYS[1], 'text', ARGV[1])");

/** Creates the internal methods of a journal. */
export function createInternals(runner: ScriptRunner, holder: Holder, cleanup: Cleanup): StoreInternals {
  const toKey = (name: string): string => `${runner.prefix}lock:${name}`;
  const find = async (name: string) => (await runner.run(read, [toKey(name)], [])) as (string | null)[];
  return {
    flush: cleanup.flush,
    async lock(name, owner, ms) {
      const key = toKey(name);
      const lock = await takeLock(
        async (token, leaseMs, isRenewal, onDoubt) => {
          const args = [token, leaseMs, holder.name, owner, isRenewal ? 1 : 0];
          const isGiven = (await runner.run(give, [key, `${runner.prefix}holders`], args, onDoubt)) === 1;
          if (isGiven) holder.begin(key, token, leaseMs);
          return isGiven;
        },
        ms,
        cleanup,
      );
      return lock ?? String((await find(name))[0]);
    },
    text: {
      read: async (name) => (await find(name))[1] ?? undefined,
      write: async (name, text) => void (await runner.run(write, [toKey(name)], [text])),
    },
  };
}
