import type { Harness } from './harness.ts';

/** How many keywords the demo site has. */
export async function countHeld(cli: Harness): Promise<number> {
  const { keywords } = (await cli.control('GET', '/sites/demo-site/keywords')) as { keywords: unknown[] };
  return keywords.length;
}

/** How many keyword requests the mock was sent. */
export const countSent = async (cli: Harness): Promise<number> =>
  (await cli.received('addSeoKeywords')).length;
