import { describe, expect, it } from 'vitest';
import { agree, withBody } from './agreement.ts';

/* 5,000 bodies here; `npm run soak` sends 100,000. */
describe('the document and the server agree on every body, accepted or 400', () => {
  it('and there are four operations with a body', () => {
    expect(withBody.map(({ name }) => name).sort()).toEqual([
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

  it.each(withBody.map((one) => [clauses[one.name], one.name, one] as const))(
    '[%s] %s',
    async (...[, , one]) => {
      const tally = await agree(one, 1_250);
      // Both answers must have been given, or agreement says nothing.
      expect(tally.accepted).toBeGreaterThan(250);
      expect(tally.refused).toBeGreaterThan(250);
    },
    180_000,
  );
});
