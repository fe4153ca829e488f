import { describe, expect, it } from 'vitest';
import { compareBodies, operationsWithBody } from './body-agreement.ts';

/* Sends 5,000 bodies; `npm run soak` sends 100,000. */
describe('the document and the server accept the same bodies', () => {
  it('covers four operations with a body', () => {
    expect(operationsWithBody.map(({ name }) => name).sort()).toEqual([
      'addSeoKeywords',
      'changeChat',
      'readChat',
      'readStudio',
    ]);
  });

  const clauses: Readonly<Record<string, string>> = {
    addSeoKeywords: '4.2.14',
    readChat: '4.3.28',
    changeChat: '4.4.37',
    readStudio: '4.5.37',
  };

  it.each(operationsWithBody.map((one) => [clauses[one.name], one.name, one] as const))(
    '[%s] %s',
    async (...[, , one]) => {
      const tally = await compareBodies(one, 1_250);
      // Both answers must occur.
      expect(tally.accepted).toBeGreaterThan(250);
      expect(tally.refused).toBeGreaterThan(250);
    },
    180_000,
  );
});
