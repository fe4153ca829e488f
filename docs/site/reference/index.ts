import { generateApiPages } from './api-pages.ts';
import { generateCodePages } from './code-pages.ts';
import { generateCommandPages } from './command-pages.ts';
import type { GeneratedPage } from './page.ts';

/** The pages of the reference that are made from the sources. */
export const generateReference = async (root: string): Promise<GeneratedPage[]> => [
  ...generateApiPages(root),
  ...generateCodePages(),
  ...(await generateCommandPages()),
];
