import { afterAll, beforeAll, it } from 'vitest';
import { Harness } from '../../../../packages/cli/test-support/harness.ts';

const cli = new Harness();
beforeAll(() => cli.start(), 60_000);
afterAll(() => cli.end());

it('the built command gives a wrong body and an undeclared status, and nobody here sees it', async () => {
  await cli.run(['account']);
  await fetch(`${cli.ready?.baseUrl}/me`);
});
