import { FleetError } from '../fleet-error.ts';
import type { StoreDiagnosis } from '../internal.ts';
import type { StoreWarning } from '../store-warning.ts';
import { parseReplyCode } from './reply-code.ts';

/** The oldest supported version: before it, a script that asked for the time could not write. */
const oldestMajor = 7;

/** Returns the lines `name:value` of the answer to INFO. */
function parseInfo(text: string): Readonly<Record<string, string>> {
  const lines = text.split(/\r?\n/).map((line) => line.split(':'));
  return Object.fromEntries(lines.map(([name = '', ...value]) => [name, value.join(':')]));
}

/**
 * Checks version and eviction policy of an engine. For a store that has to survive, `onWarning` is called with what
 * cannot be promised.
 */
export async function checkEngine(
  send: (command: readonly string[]) => Promise<unknown>,
  what: string,
  onWarning?: (warning: StoreWarning) => void,
): Promise<void> {
  const info = parseInfo(String(await send(['INFO'])));
  const version = info.redis_version ?? 'unknown';
  if (!(Number.parseInt(version, 10) >= oldestMajor)) {
    throw new FleetError(
      `${what} requires Redis ${oldestMajor}.0 or later; this one has version ${version}.`,
      {
        code: 'STORE_VERSION',
      },
    );
  }
  const policy = info.maxmemory_policy;
  if (policy !== undefined && policy !== 'noeviction') {
    throw new FleetError(
      `${what} requires maxmemory-policy noeviction; this Redis has ${policy}, so it may delete entries when its memory is full. Set it with CONFIG SET maxmemory-policy noeviction and in redis.conf, or use another Redis.`,
      { code: 'STORE_EVICTION' },
    );
  }
  if (!onWarning) return;
  const losses = await findLosses(send, info);
  if (losses.length > 0) {
    onWarning({
      code: 'NOT_DURABLE',
      message: `${what} may lose entries: ${losses.join('; ')}. A change whose entry is lost is not resumed, and may be applied twice if it has no intent. If the journal must survive, use postgresJournal().`,
      reasons: losses,
    });
  }
  if (policy === undefined) {
    onWarning({
      code: 'NOT_CHECKED',
      message: `${what} could not read maxmemory-policy from INFO. It must be noeviction.`,
      reasons: ['INFO does not show maxmemory-policy'],
    });
  }
}

/** Checks the same for people: all of it, whatever it is. */
export async function diagnoseRedis(
  send: (command: readonly string[]) => Promise<unknown>,
  what: string,
): Promise<readonly StoreDiagnosis[]> {
  const warnings: StoreWarning[] = [];
  try {
    await checkEngine(send, what, (warning) => warnings.push(warning));
  } catch (error) {
    if (!(error instanceof FleetError) || error.code !== 'STORE_EVICTION') throw error;
    const advice = 'Set maxmemory-policy to noeviction, in redis.conf too, or use another Redis.';
    return [{ topic: 'eviction', detail: 'Redis may delete entries when its memory is full', advice }];
  }
  const lossy = warnings.find(({ code }) => code === 'NOT_DURABLE');
  const unchecked = warnings.find(({ code }) => code === 'NOT_CHECKED');
  return [
    unchecked === undefined
      ? { topic: 'eviction', detail: 'maxmemory-policy is noeviction' }
      : {
          topic: 'eviction',
          detail: unchecked.reasons.join('; '),
          advice: 'Check that maxmemory-policy is noeviction.',
        },
    lossy === undefined
      ? { topic: 'durability', detail: 'what is confirmed is on disk' }
      : {
          topic: 'durability',
          detail: lossy.reasons.join('; '),
          advice: 'If the journal must survive, use Postgres.',
        },
  ];
}

/** Returns how an engine can lose what it has confirmed. */
async function findLosses(
  send: (command: readonly string[]) => Promise<unknown>,
  info: Readonly<Record<string, string>>,
): Promise<string[]> {
  const losses: string[] = [];
  if (info.aof_enabled !== '1')
    losses.push('it has no append-only file, so a restart loses them (set appendonly yes)');
  else {
    const fsync = await readFsync(send);
    if (fsync === undefined)
      losses.push(
        'CONFIG GET appendfsync is not allowed, so it is not known what a crash of its machine loses',
      );
    else if (fsync !== 'always')
      losses.push(
        `appendfsync is ${fsync}, so a crash of its machine loses the last second or more (set appendfsync always)`,
      );
  }
  if (Number(info.connected_slaves) > 0)
    losses.push('it has replicas, and a failover loses what they have not received yet');
  return losses;
}

/** Returns the setting `appendfsync`; undefined if this user or service does not show it. */
async function readFsync(
  send: (command: readonly string[]) => Promise<unknown>,
): Promise<string | undefined> {
  try {
    const answer = await send(['CONFIG', 'GET', 'appendfsync']);
    // A list of names and values, or an object in version 3 of the protocol.
    const value = Array.isArray(answer)
      ? answer[1]
      : (Object(answer) as { readonly appendfsync?: unknown }).appendfsync;
    return value === undefined ? undefined : String(value);
  } catch (error) {
    if (parseReplyCode(error) === undefined) throw error;
    return undefined;
  }
}
