import type { LockRows } from '../internal.ts';
import type { Holder } from './holder.ts';
import { clock, deadAfterMs } from './journal-scripts.ts';
import { createScript, isText, type ScriptRunner } from './script-runner.ts';

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
const find = createScript("return redis.call('HMGET', KEYS[1], 'owner', 'text')", isText);
const write = createScript("return redis.call('HSET', KEYS[1], 'text', ARGV[1])");

/** Creates the rows of locks. */
export function createLockRows(runner: ScriptRunner, holder: Holder): LockRows {
  const toKey = (name: string): string => `${runner.prefix}lock:${name}`;
  return {
    async give(name, { token, owner, ms, isRenewal }, onDoubt) {
      const keys = [toKey(name), `${runner.prefix}holders`];
      const args = [token, ms, holder.name, owner, isRenewal ? 1 : 0];
      if ((await runner.run(give, keys, args, onDoubt)) !== 1) return false;
      holder.begin(`lock ${name}`, token, ms);
      return true;
    },
    async find(name) {
      const [owner = null, text = null] = (await runner.run(find, [toKey(name)], [])) as (string | null)[];
      return owner === null ? undefined : { owner, text };
    },
    write: (name, text) => runner.run(write, [toKey(name)], [text]),
  };
}
