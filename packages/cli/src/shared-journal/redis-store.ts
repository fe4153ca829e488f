import type { RedisClient, redisJournal, StoreWarning } from '@orgchat/fleet/redis';
import type { CliError } from '../errors/cli-error.ts';
import { loadInstalled } from '../settings/installed-packages.ts';
import type { JournalSetting } from '../settings/journal-setting.ts';
import { getInternals, type OpenStore } from './store.ts';

/** The part of `ioredis` that is used. */
interface Ioredis {
  readonly Redis: new (url: string, options: object) => RedisClient & { disconnect(): void };
}
/** The part of `redis` that is used: node-redis. */
interface NodeRedis {
  createClient(options: object): RedisClient & { connect(): Promise<unknown>; destroy(): void };
}

interface Fleet {
  readonly redisJournal: typeof redisJournal;
}

interface Connection {
  readonly client: RedisClient;
  readonly end: () => void;
}

const packages = ['@orgchat/fleet', '@orgchat/sdk', 'ioredis'];

/** Connects with ioredis, or with node-redis if only that is installed. Calls wait for the connection. */
async function connect({ url }: JournalSetting): Promise<Connection> {
  let missing: CliError;
  try {
    const { Redis } = (await loadInstalled('ioredis', packages)) as Ioredis;
    const client = new Redis(url, { connectionName: 'orgchat' });
    return { client, end: () => client.disconnect() };
  } catch (error) {
    missing = error as CliError;
  }
  const driver = (await loadInstalled('redis', packages).catch(() => undefined)) as NodeRedis | undefined;
  if (driver === undefined) throw missing;
  const client = driver.createClient({ url, name: 'orgchat' });
  client.connect().catch(() => undefined);
  return { client, end: () => client.destroy() };
}

/** Opens a journal in Redis. */
export const openRedisStore: OpenStore = async (setting, warn) => {
  const { redisJournal } = (await loadInstalled('@orgchat/fleet/redis', packages)) as Fleet;
  const { client, end } = await connect(setting);
  const journal = redisJournal(client, {
    prefix: setting.namespace,
    onWarning: (warning) => warn(formatStoreWarning(warning, setting.name)),
  });
  return {
    journal,
    internals: getInternals(journal),
    async migrate() {
      // Redis has no tables. The first call checks the engine.
      await journal.list('none', { limit: 1 });
    },
    close: async () => end(),
  };
};

/** The installed `@orgchat/fleet` may be older than this command, and then gives no reasons. */
type ReceivedWarning = Omit<StoreWarning, 'reasons'> & Partial<Pick<StoreWarning, 'reasons'>>;

/** Words a warning about the journal `name` for people who use this command and not the library. */
export function formatStoreWarning({ code, message, reasons }: ReceivedWarning, name: string): string {
  const why = reasons === undefined ? '' : `: ${reasons.join('; ')}`;
  switch (code) {
    case 'NOT_DURABLE':
      return `The journal ${name} may lose entries${why}. A change whose entry is lost is not resumed, and may be applied twice if it has no intent. If the journal must survive, use Postgres: --journal postgres://USER@HOST/DATABASE`;
    case 'NOT_CHECKED':
      return `The journal ${name} could not be checked${why}. Its maxmemory-policy must be noeviction.`;
    default:
      return message;
  }
}
