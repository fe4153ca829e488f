import { Redis } from 'ioredis';

/** Creates the client of a worker process. A connection that breaks, or says nothing any more, must not end the process. */
export function createWorkerRedis(port: number): Redis {
  const redis = new Redis({ port, retryStrategy: () => 50, socketTimeout: 3_000 });
  redis.on('error', () => undefined);
  return redis;
}
