import type { RedisClient, redisJournal } from '@orgchat/fleet/redis';
import type { CliError } from '../errors/cli-error.ts';
import type { JournalSetting } from '../settings/journal-setting.ts';
import { loadInstalled } from './installed-packages.ts';
import type { OpenStore } from './store.ts';
import { formatStoreWarning } from './store-warning.ts';

/** The part of `ioredis` that is used. */
interface Ioredis {
  readonly Redis: new (url: string, options: object) => RedisClient & Ending & { disconnect(): void };
}
/** The part of `redis` that is used: node-redis. */
interface NodeRedis {
  createClient(options: object): RedisClient & Ending & { connect(): Promise<unknown>; destroy(): void };
}
interface Ending {
  on(event: 'ready', listener: () => void): unknown;
}

interface Fleet {
  readonly redisJournal: typeof redisJournal;
}

interface Connection {
  readonly client: RedisClient & Ending;
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
  let isConnected = false;
  client.on('ready', () => {
    isConnected = true;
  });
  const journal = redisJournal(client, {
    prefix: setting.namespace,
    onWarning: (warning) => warn(formatStoreWarning(warning, setting.name)),
  });
  return {
    journal,
    async migrate() {
      // Redis has no tables. The first call checks the engine.
      await journal.list('none', { limit: 1 });
    },
    wasReached: () => isConnected,
    close: async () => end(),
  };
};
