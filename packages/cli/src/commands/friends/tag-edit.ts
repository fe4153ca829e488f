import { haveSameIds, toComparableId } from '@orgchat/sdk/internal';
import { limits } from '@orgchat/spec';
import { invalidInputError, usageError } from '../../errors/cli-error.ts';
import type { Lookup } from '../../resources/lookup.ts';

/** Flags that say how the tags of a friend change; names or ids, as they were typed. */
export interface TagFlags {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  readonly set?: readonly string[];
  readonly clear?: true;
}

/** How the tags of a friend change. */
export interface TagEdit {
  /** Returns the tags that a friend with these tags should have. Throws if these are too many. */
  apply(tagIds: readonly string[]): string[];
  /** The ids, sorted: they are sets. */
  readonly ids: Readonly<Record<string, readonly string[]>>;
}

/** Throws unless the flags say what to do, and only once. */
export function checkTagFlags({ add = [], remove = [], set, clear }: TagFlags): void {
  if (add.length + remove.length === 0 && !set && !clear)
    throw usageError(
      'No tag specified: --tag, --remove, --set and --clear are missing.',
      'Pass --tag, --remove, --set or --clear.',
    );
  if ((set || clear) && (add.length + remove.length > 0 || (set && clear))) {
    throw usageError(
      '--set and --clear cannot be combined with other tag options.',
      'Pass one of them alone, or --tag and --remove.',
    );
  }
}

/** Finds the tags of the flags. */
export async function readTagEdit(lookup: Lookup, flags: TagFlags): Promise<TagEdit> {
  const { add = [], remove = [], set, clear } = flags;
  const [added, removed, replaced] = [
    await lookup.ids('tags', add),
    await lookup.ids('tags', remove),
    await lookup.ids('tags', set ?? []),
  ];
  const both = added.find((id) => removed.includes(id));
  if (both !== undefined)
    throw usageError(
      `The same tag (${both}) is named by --tag and --remove.`,
      'Remove it from one of the two.',
    );
  const isReplaced = set !== undefined || clear === true;
  return {
    ids: isReplaced ? { set: replaced.toSorted() } : { add: added.toSorted(), remove: removed.toSorted() },
    apply(tagIds) {
      const kept = [...tagIds.map(toComparableId), ...added].filter((id) => !removed.includes(id));
      const result = isReplaced ? replaced : [...new Set(kept)];
      if (result.length > limits.tagsPerRecord)
        throw invalidInputError(
          `A friend can have at most ${limits.tagsPerRecord} tags.`,
          'Remove some tags with --remove.',
        );
      return haveSameIds(result, tagIds) ? [...tagIds] : result;
    },
  };
}
