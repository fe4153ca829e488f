import type { Redis } from 'ioredis';
import type { IoredisClient } from '../../src/redis.ts';

/** Creates a client of ioredis that makes up its answers to some commands, and asks `admin` the others. */
export const createPretender =
  (admin: Redis) =>
  (answers: Readonly<Record<string, string | Error>>): IoredisClient => ({
    status: 'ready',
    on: () => undefined,
    async call(command: string, ...args: string[]) {
      const answer = answers[command];
      if (answer instanceof Error) throw answer;
      return answer ?? admin.call(command, ...args);
    },
  });

/** An answer to INFO. */
export const toInfo = (changes: string): string =>
  `# Server\r\nredis_version:7.2.4\r\nmaxmemory_policy:noeviction\r\naof_enabled:1\r\nconnected_slaves:0\r\n${changes}\r\n`;
