import { operationStates } from '../journal/add-stats.ts';
import { createScript, isText } from './script-runner.ts';

/** After this without a heartbeat, a process counts as dead. In milliseconds. */
export const deadAfterMs = 5_000;
/** How long a call that was given up is remembered, in milliseconds: longer than a network keeps a packet. */
const givenUpMs = 3_600_000;
/** How many old entries one settlement removes at most. */
const batch = 10;

/**
 * The keys of every script of one entry. An entry is a hash; the others list the entries of its target, tell which
 * processes are alive, and remember whether this very call was given up.
 */
export const entryKeys = ['entry', 'order', 'open', 'settled', 'holders', 'given_up'] as const;

const keys = `local ${entryKeys.join(', ')} = ${entryKeys.map((_, index) => `KEYS[${index + 1}]`).join(', ')}`;
/** What `stats` counts, in the order of its answer. */
export const statsFields = [...operationStates, 'open', 'oldest_open_at'] as const;

/** The time of the engine, in milliseconds. */
export const clock = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/** Replaces the time of a next attempt with how long it is until then, in milliseconds; empty if there is none. */
const restOf = (field: string): string => `${field} = ${field} and tostring(${field} - now) or ''`;

/**
 * The scripts of the journal. Each is one round trip, may be repeated with the same arguments, and uses the clock of the
 * engine. The first argument is the id of the operation.
 *
 * Redis does not roll back. A full engine refuses the first command that needs memory, and none after a script has
 * written: so each script begins with such a command, and those that undo or remove need none.
 */
export const journalScripts = {
  /** Arguments: id, entry, token, deadline, creation time, holder, lease in milliseconds, whether it is open. */
  add: createScript(`${keys}
${clock}
local id, text, token, deadline, created, holder, lease, is_open = unpack(ARGV)
if redis.call('EXISTS', given_up) == 1 then return 0 end
local known = redis.call('HMGET', entry, 'token', 'lease')
if known[1] then
  if token == '' or known[1] ~= token or not known[2] then return 0 end
  redis.call('HSET', entry, 'holder', holder, 'lease', now + lease)
else
  redis.call('HSET', entry, 'entry', text, 'token', token, 'deadline', deadline, 'created', created,
    'holder', holder, 'lease', now + lease)
  redis.call('ZADD', order, 0, created .. '\\0' .. id)
  if is_open == '1' then redis.call('ZADD', open, 0, created .. '\\0' .. id)
  else redis.call('ZADD', settled, now, id) end
end
redis.call('ZADD', holders, now, holder)
return 1`),

  /** Arguments: id. What is read a day after its settlement is kept for longer. A read-only replica can be read too. */
  get: createScript(
    `${keys}
${clock}
local id = ARGV[1]
local known = redis.call('HMGET', entry, 'entry', 'token', 'deadline', 'next')
if not known[2] then return false end
${restOf('known[4]')}
local settled_at = redis.call('ZSCORE', settled, id)
if settled_at and now - settled_at > 86400000 then redis.pcall('ZADD', settled, 'XX', now, id) end
return known`,
    isText,
  ),

  /** Arguments: id, token, deadline, holder, lease in milliseconds. */
  claim: createScript(
    `${keys}
${clock}
local id, token, deadline, holder, lease = unpack(ARGV)
local known = redis.call('HMGET', entry, 'entry', 'token', 'lease', 'holder', 'next')
if not known[2] or redis.call('EXISTS', given_up) == 1 then return false end
local rest = (tonumber(known[3]) or 0) - now
if rest > 0 and known[2] ~= token then
  local beat = redis.call('ZSCORE', holders, known[4])
  if beat and now - beat < ${deadAfterMs} then return { rest } end
end
redis.call('HSET', entry, 'token', token, 'deadline', deadline, 'holder', holder, 'lease', now + lease)
redis.call('ZADD', holders, now, holder)
${restOf('known[5]')}
return { 0, known[1], known[5], known[3] and known[2] ~= token and 1 or 0 }`,
    (index) => index === 0 || index === 3,
  ),

  /**
   * Arguments: id, token, entry, deadline, whether it is open, how long settled entries are kept, and how long it is until
   * the next attempt (empty: there is none), in milliseconds.
   */
  settle: createScript(`${keys}
${clock}
local id, token, text, deadline, is_open, keep, next = unpack(ARGV)
local known = redis.call('HMGET', entry, 'token', 'created')
if known[1] ~= token then return { 0, 0 } end
redis.call('HSET', entry, 'entry', text, 'deadline', deadline)
redis.call('HDEL', entry, 'holder', 'lease', 'next')
if next ~= '' then redis.call('HSET', entry, 'next', now + next) end
local member = known[2] .. '\\0' .. id
if is_open == '1' then
  redis.call('ZADD', open, 0, member)
  redis.call('ZREM', settled, id)
else
  redis.call('ZREM', open, member)
  redis.call('ZADD', settled, now, id)
end
local folder, removed = entry:sub(1, #entry - #id), 0
for _, old in ipairs(redis.call('ZRANGEBYSCORE', settled, '-inf', now - keep, 'LIMIT', 0, ${batch})) do
  local found = redis.call('HMGET', folder .. old, 'created', 'lease')
  if (tonumber(found[2]) or 0) > now then
    redis.call('ZADD', settled, now, old)
  else
    removed = removed + redis.call('DEL', folder .. old)
    redis.call('ZREM', settled, old)
    if found[1] then redis.call('ZREM', order, found[1] .. '\\0' .. old) end
  end
end
return { 1, removed }`),

  /** Arguments: id, token, whether only an entry with this token is removed. */
  remove: createScript(`${keys}
local id, token, is_fenced = unpack(ARGV)
local known = redis.call('HMGET', entry, 'token', 'created')
if not known[1] or (is_fenced == '1' and known[1] ~= token) then return 0 end
redis.call('DEL', entry)
redis.call('ZREM', order, known[2] .. '\\0' .. id)
redis.call('ZREM', open, known[2] .. '\\0' .. id)
redis.call('ZREM', settled, id)
return 1`),

  /** Undoes an addition or settlement: the entry is gone. Arguments: id, token. */
  removeHeld: createScript(`${keys}
local id, token = unpack(ARGV)
local known = redis.call('HMGET', entry, 'token', 'created')
if known[1] == token then
  redis.call('DEL', entry)
  redis.call('ZREM', order, known[2] .. '\\0' .. id)
  redis.call('ZREM', open, known[2] .. '\\0' .. id)
  redis.call('ZREM', settled, id)
end
redis.pcall('SET', given_up, '1', 'PX', ${givenUpMs})
return 1`),

  /** Undoes a claim or settlement: nobody holds the entry. Arguments: id, token. */
  release: createScript(`${keys}
local id, token = unpack(ARGV)
if redis.call('HGET', entry, 'token') == token then redis.call('HDEL', entry, 'holder', 'lease') end
redis.pcall('SET', given_up, '1', 'PX', ${givenUpMs})
return 1`),

  /** Keys: a list of entries, the folder of its target. Arguments: where to begin, how many. */
  list: createScript(
    `${clock}
local found = {}
for n, member in ipairs(redis.call('ZRANGEBYLEX', KEYS[1], ARGV[1], '+', 'LIMIT', 0, ARGV[2])) do
  local id = member:sub(member:find('\\0', 1, true) + 1)
  local known = redis.pcall('HMGET', KEYS[2] .. id, 'entry', 'token', 'deadline', 'next')
  ${restOf('known[4]')}
  found[n] = { member, id, known[1] or '', known[2] or '', known[3] or '', known[4] }
end
return found`,
    isText,
  ),

  /**
   * Counts a page of entries. Keys: a list of entries, the folder of its target, the list of those that are open.
   * Arguments: where to begin, how many. A state is the first one in the text: quotes within other fields before it are
   * escaped. Returns how many there are, the last one, and the values of `statsFields`.
   */
  stats: createScript(
    `local page = redis.call('ZRANGEBYLEX', KEYS[1], ARGV[1], '+', 'LIMIT', 0, ARGV[2])
local counts = {}
for _, field in ipairs({ '${statsFields.join("', '")}' }) do counts[field] = 0 end
counts.oldest_open_at = ''
for _, member in ipairs(page) do
  local at = member:find('\\0', 1, true)
  local text = redis.pcall('HGET', KEYS[2] .. member:sub(at + 1), 'entry')
  local state = type(text) == 'string' and text:match('"state":"(%l+)"')
  if state and type(counts[state]) == 'number' then
    counts[state] = counts[state] + 1
    if redis.call('ZSCORE', KEYS[3], member) then
      counts.open = counts.open + 1
      if counts.oldest_open_at == '' then counts.oldest_open_at = member:sub(1, at - 1) end
    end
  end
end
return { #page, page[#page] or '', ${statsFields.map((field) => `counts.${field}`).join(', ')} }`,
    (index) => index !== 1 && statsFields[index - 2] !== 'oldest_open_at',
  ),

  /**
   * Keys: the holders. Arguments: this process. Removes first, so that a full engine does not refuse a heartbeat. Returns 1
   * if the engine has had no heartbeat of it: other scripts show the process, too, and an empty engine takes them.
   */
  beat: createScript(`${clock}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - 60000)
redis.call('ZADD', KEYS[1], now, ARGV[1])
return redis.call('ZADD', KEYS[1], now, ARGV[1] .. ' beat')`),
};
