/* Imports and requires the packed fleet, and calls it. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { FleetError, postgresJournal } from '@orgchat/fleet/postgres';

const refused = Object.assign(new Error('password authentication failed'), { code: '28P01' });
const pool = { query: () => Promise.reject(refused) };
for (const create of [
  postgresJournal,
  createRequire(import.meta.url)('@orgchat/fleet/postgres').postgresJournal,
]) {
  await assert.rejects(create(pool).list('target'), (error) => {
    // One class, however the package is loaded.
    assert.ok(error instanceof FleetError);
    assert.equal(error.code, 'STORE_CREDENTIALS');
    return true;
  });
}
const redis = createRequire(import.meta.url)('@orgchat/fleet/redis');
assert.equal((await import('@orgchat/fleet/redis')).redisJournal, redis.redisJournal);
console.log(`${process.version}: imported and required`);
