import * as z from 'zod';
import { limits } from '../limits.ts';
import { text } from '../primitives.ts';

/** SPECIFICATION.md, section 4.2. Unknown fields are ignored here (DECISIONS.md, D11). */
export const addKeywordsInput = z
  .object({
    keywords: z
      .array(text(1, limits.siteKeywordLength))
      .min(1)
      .max(limits.keywordsPerRequest)
      .meta({ description: `1 to ${limits.keywordsPerRequest} keywords.` }),
    group: text(0, limits.siteKeywordGroupLength)
      .optional()
      .meta({ description: 'The group of the added keywords.' }),
  })
  .meta({
    id: 'AddKeywordsInput',
    description: 'Keywords to add to a site.',
    examples: [{ keywords: ['summer', 'sale'], group: 'season' }],
  });

export const addKeywordsResult = z
  .object({
    added: z.array(z.string()).meta({ description: 'Keywords that were added, trimmed, in the order sent.' }),
    skipped: z
      .array(z.string())
      .meta({ description: 'Keywords that the site already had, or that were sent twice.' }),
  })
  .meta({
    id: 'AddKeywordsResult',
    description: 'The result for each keyword.',
    examples: [{ added: ['summer'], skipped: ['sale'] }],
  });
