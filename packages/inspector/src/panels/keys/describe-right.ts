import type { Tone } from '../../components/panel.tsx';
import type { ListedKey } from '../../control-api/types.ts';

/** What a client can do with a key, whatever its scope says. The color is that of the effect, not of its cause. */
export function describeRight({
  scope,
  revoked,
  suspended,
  editor,
}: Pick<ListedKey, 'scope' | 'revoked' | 'suspended' | 'editor'>): {
  readonly tone: Tone;
  readonly word: string;
  /** The switch that causes the refusal; undefined if nothing is refused. */
  readonly cause?: 'scope' | 'revoked' | 'suspended' | 'editor';
} {
  if (revoked) return { tone: 'bad', word: 'every request gets 401: revoked', cause: 'revoked' };
  if (suspended)
    return { tone: 'bad', word: 'every request gets 403: creator suspended', cause: 'suspended' };
  if (scope === 'read') return { tone: 'warn', word: 'reads; a write gets 403: scope read', cause: 'scope' };
  if (!editor)
    return { tone: 'warn', word: 'reads; a write gets 403: creator is not an editor', cause: 'editor' };
  return { tone: 'good', word: 'reads and writes' };
}

const order: readonly Tone[] = ['good', 'warn', 'bad'];

/** Keys with the most rights first; otherwise as the mock lists them. */
export const sortByRight = (keys: readonly ListedKey[]): ListedKey[] =>
  keys.toSorted((a, b) => order.indexOf(describeRight(a).tone) - order.indexOf(describeRight(b).tone));
