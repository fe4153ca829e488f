import { expect } from 'vitest';
import type { OrgChatError } from '../src/index.ts';

/** What a call is rejected with; from the SDK itself, one of its own errors. */
export async function errorOf(call: PromiseLike<unknown>): Promise<OrgChatError> {
  return call.then(
    () => expect.unreachable('it should have been rejected'),
    (error: OrgChatError) => error,
  );
}
