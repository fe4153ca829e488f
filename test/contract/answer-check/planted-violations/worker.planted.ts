import { createMock, demoKeys } from '@orgchat/mock-server';
import { afterAll, describe, it } from 'vitest';

const mock = createMock();
const ask = async (key: string): Promise<void> => {
  await mock.fetch(`${mock.baseUrl}/me`, { headers: { authorization: `Bearer ${key}` } });
};

it('an undeclared status', () => ask('nobody'));
it('a wrong body', () => ask(demoKeys.write));
it('an answer that is allowed', () => ask('demo-no-api-key'));
describe('a hook', () => {
  afterAll(() => ask('nobody'));
  it('is of no single test', () => ask('demo-no-api-key'));
});
