import { expect } from 'vitest';
import type { OrgChatError } from '../src/index.ts';

/** Returns what a call is rejected with. From the SDK itself, that is one of its own errors. */
export async function getRejection(call: PromiseLike<unknown>): Promise<OrgChatError> {
  return call.then(
    () => expect.unreachable('it should have been rejected'),
    (error: OrgChatError) => error,
  );
}

/** The same, and how many milliseconds it took. */
export async function failed(call: PromiseLike<unknown>): Promise<{ error: OrgChatError; ms: number }> {
  const startedAt = performance.now();
  const error = await getRejection(call);
  return { error, ms: performance.now() - startedAt };
}
