import { lineIdleMs, pauseMs, shortestPauseMs, slackMs } from '../pacing-rules.ts';
import { createScript } from './script-runner.ts';

/**
 * The keys of a line. `sent` and `answered` have the places that count, until when; `waiting` has those in line by their
 * number, and `asked` until when each stays in line without a question. `blocked` exists while the server asks to wait.
 */
export const lineKeys = ['sent', 'answered', 'waiting', 'asked', 'blocked'] as const;
/** The key that lists the lines of all API keys, by when each got its last request: for people who ask how long they are. */
export const linesKey = 'lines';

const keys = `local ${lineKeys.join(', ')} = ${lineKeys.map((_, index) => `KEYS[${index + 1}]`).join(', ')}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function put(key, score, place) redis.call('ZADD', key, score, place) redis.call('PEXPIRE', key, ${lineIdleMs}) end
local function leave(place) redis.call('ZREM', waiting, place) redis.call('ZREM', asked, place) end`;

/** The scripts of the pacing. Each is one round trip, and may be repeated with the same arguments. */
export const pacingScripts = {
  /**
   * Decides about a place. A script runs alone, so one decision is made at a time. Arguments: place, places per window,
   * longest wait (empty: any), how long the request may take, window. In milliseconds.
   */
  reserve: createScript(
    `${keys}
local place, per_window, longest = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]) or math.huge
local hold, window = tonumber(ARGV[4]), tonumber(ARGV[5])
for _, ended in ipairs({ sent, answered }) do redis.call('ZREMRANGEBYSCORE', ended, '-inf', now) end
for _, dead in ipairs(redis.call('ZRANGEBYSCORE', asked, '-inf', now)) do leave(dead) end
if redis.call('ZSCORE', sent, place) or redis.call('ZSCORE', answered, place) then return { 'granted', 0, 0 } end
if not redis.call('ZSCORE', waiting, place) then
  local last = redis.call('ZRANGE', waiting, -1, -1, 'WITHSCORES')
  put(waiting, (last[2] or 0) + 1, place)
  put(KEYS[${lineKeys.length + 1}], now, sent:sub(1, -6))
  redis.call('ZREMRANGEBYSCORE', KEYS[${lineKeys.length + 1}], '-inf', now - ${lineIdleMs})
end
local ahead, done = redis.call('ZRANK', waiting, place), redis.call('ZCARD', answered)
local slot = ahead % per_window - (per_window - redis.call('ZCARD', sent) - done)
local wait = math.floor(ahead / per_window) * window
if slot >= done then wait = wait + window
elseif slot >= 0 then wait = wait + redis.call('ZRANGE', answered, slot, slot, 'WITHSCORES')[2] - now end
wait = math.max(wait, redis.call('PTTL', blocked), 0)
local shortest = wait == 0 and math.min(ahead * ${shortestPauseMs}, ${pauseMs}) or ${shortestPauseMs}
local again = math.ceil(math.max(shortest, math.min(wait, math.max(${pauseMs}, wait / 10))))
if ahead == 0 and wait == 0 then
  leave(place)
  put(sent, now + hold + window, place)
  return { 'granted', 0, 0 }
elseif wait > longest then
  leave(place)
  return { 'refused', wait, 0 }
end
put(asked, now + again + ${slackMs}, place)
return { 'waiting', math.max(wait, again), again }`,
    (index) => index > 0,
  ),

  /**
   * Counts some lines, as `reserve` does. Key: the list of lines. Arguments: how many lines to pass over, how many to
   * count, places per window, window. Returns how many lines there were, how many of them have a request, requests that
   * wait and that count, and the longest wait.
   */
  stats: createScript(`local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local per_window, window = tonumber(ARGV[3]), tonumber(ARGV[4])
local page = redis.call('ZRANGE', KEYS[1], ARGV[1], ARGV[1] + ARGV[2] - 1)
local used_lines, all_waiting, all_used, longest = 0, 0, 0, 0
local function living(key, ...) return redis.call('ZRANGEBYSCORE', key, '(' .. now, '+inf', ...) end
for _, line in ipairs(page) do
  local waiting = #living(line .. ':asked')
  local ends = living(line .. ':answered', 'WITHSCORES')
  local done = #ends / 2
  local used = #living(line .. ':sent') + done
  local slot = waiting % per_window - (per_window - used)
  local wait = math.floor(waiting / per_window) * window
  if slot >= done then wait = wait + window
  elseif slot >= 0 then wait = wait + ends[2 * slot + 2] - now end
  wait = math.max(wait, redis.call('PTTL', line .. ':blocked'), 0)
  if waiting + used > 0 or wait > 0 then used_lines = used_lines + 1 end
  all_waiting, all_used, longest = all_waiting + waiting, all_used + used, math.max(longest, wait)
end
return { #page, used_lines, all_waiting, all_used, math.ceil(longest) }`),

  /** Arguments: place, whether nothing was sent, window, how long nobody may send (0: no such answer). In milliseconds. */
  release: createScript(`${keys}
local place, is_unused, window, retry_after = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
leave(place)
if redis.call('ZREM', sent, place) == 1 and is_unused == '0' then
  put(answered, now + window, place)
end
if retry_after > math.max(redis.call('PTTL', blocked), 0) then redis.call('SET', blocked, '1', 'PX', retry_after) end
return 1`),
};
