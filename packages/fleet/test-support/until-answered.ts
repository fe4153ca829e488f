import { setImmediate } from 'node:timers/promises';

/** Waits until a client of Redis has its answers so far, and the one to a script that had to be sent again with its text. */
export async function untilAnswered(client: { ping(): Promise<unknown> }): Promise<void> {
  for (let n = 0; n < 2; n++) {
    await client.ping();
    await setImmediate();
  }
}
