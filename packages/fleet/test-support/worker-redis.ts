import { Redis } from 'ioredis';

/** Creates the client of a worker process. A connection that breaks must not end the process. */
export function createWorkerRedis(port: number): Redis {
  const redis = new Redis({ port, retryStrategy: () => 50 });
  redis.on('error', () => undefined);
  return redis;
}
