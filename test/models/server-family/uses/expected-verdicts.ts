import type { Choices } from '../members/axes.ts';
import type { StoredResource } from '../server/organization.ts';
import type { Use, Verdict } from './judge.ts';

/** Resources whose first record has blocks. */
const withBlocks: readonly StoredResource[] = ['auto-replies', 'scenarios', 'broadcasts'];

/** What no description can say, so that a use has to refuse, or may. */
function findException(
  { blocks, pages, limited, notFound }: Choices,
  name: string,
  resource: StoredResource,
): readonly Verdict[] | undefined {
  if (blocks === 'unknown') {
    // The block would have to be sent back, and no request has a word for it.
    if (name === 'edit' && withBlocks.includes(resource)) return ['refuses'];
    if (name === 'upsert of a record' && resource === 'auto-replies') return ['refuses'];
    if (name === 'config export onto a good file') return ['refuses'];
    // Data that are given replace the block.
    if (name === 'upsert of a record' && withBlocks.includes(resource)) return ['works', 'refuses'];
    if (name === 'config apply of an export') return ['works', 'refuses'];
  }
  // Behind an empty page there may always be more, so nobody can say that a record does not exist.
  const needsAll = ['find nothing', 'upsert twice'].includes(name) || name.startsWith('config ');
  if (pages === 'gaps' && resource === 'tags' && needsAll) return ['refuses'];
  // A list that always says that there is more says so behind its end, too.
  if (pages === 'gaps' && limited === 'always true' && needsAll) return ['works', 'refuses'];
  // A page for people has no code: it may come from a proxy.
  if (notFound === 'html' && name === 'get of a missing record') return ['refuses'];
  return undefined;
}

/** The verdicts that are right for a use of a resource: without a description, a client may always refuse. */
export function expectedVerdicts(
  choices: Choices,
  { name }: Use,
  resource: StoredResource,
  isDescribed: boolean,
): readonly Verdict[] {
  if (!isDescribed) return ['works', 'refuses'];
  return findException(choices, name, resource) ?? ['works'];
}
