/* What a user of the mock server writes, compiled against the packed install. */

import type { TestContext } from 'node:test';
import { createMock, type FaultInput, type Mock, MockOptionsError } from '@orgchat/mock-server';
import { fixture } from '@orgchat/mock-server/node-test';

export const mock: Mock = createMock({ rateLimit: 'off' });
export const fault: FaultInput = { effect: 'lose-response', operation: 'changeChat' };
mock.faults.arm(fault);
// @ts-expect-error no such option
createMock({ rate: 1 });

export async function use(t: TestContext): Promise<void> {
  const { client, requestLog } = await fixture(t);
  const { result } = await client.tags.create({ name: 'VIP', color: 'pink' });
  console.log(result?.name, requestLog);
  const { baseUrl, close } = await mock.listen({ port: 0 });
  console.log(baseUrl, MockOptionsError.name);
  await close();
}
