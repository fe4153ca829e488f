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
} {
  if (revoked) return { tone: 'bad', word: 'every request gets 401: revoked' };
  if (suspended) return { tone: 'bad', word: 'every request gets 403: creator suspended' };
  if (scope === 'read') return { tone: 'warn', word: 'reads; a write gets 403: scope read' };
  if (!editor) return { tone: 'warn', word: 'reads; a write gets 403: creator is not an editor' };
  return { tone: 'good', word: 'reads and writes' };
}
