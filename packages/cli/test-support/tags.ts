import type { Harness } from './harness.ts';

/** The arguments that create a tag. */
export const create = (name: string): string[] => [
  'tags',
  'create',
  '--name',
  name,
  '--color',
  'blue',
  '--json',
];

/** How many tags are found by a name. */
export async function named(cli: Harness, name: string): Promise<number> {
  const { json } = await cli.run(['tags', 'list', '--all', '--search', name, '--json']);
  return Number(json.length);
}
