import { limits } from '@orgchat/spec';
import type { Command } from 'commander';
import { collectWords } from '../../args/value-parsers.ts';
import { addChangeOptions } from '../../changes/change-options.ts';
import type { ValueMatcher } from '../../changes/is-subset.ts';
import { JournalMatcher } from '../../changes/journal-matcher.ts';
import { runChange } from '../../changes/run-change.ts';
import { action, examples } from '../../define-command.ts';
import { invalidInputError, usageError } from '../../errors/cli-error.ts';
import {
  addFriendOperands,
  findFriend,
  parseFriendOperands,
  readFriend,
} from '../../friends/friend-operands.ts';
import type { IdResolver } from '../../resources/field-flags.ts';
import { Lookup } from '../../resources/lookup.ts';
import {
  addGuardOptions,
  createFriendGuard,
  formatFriend,
  type GuardOptions,
  isSameFriend,
} from './friend-guard.ts';

interface TagOptions extends GuardOptions {
  readonly tag?: readonly string[];
  readonly remove?: readonly string[];
  readonly set?: readonly string[];
  readonly clear?: true;
}

export function tag(command: Command): void {
  const tagging = addFriendOperands(
    command.command('tag').description('add or remove tags of a friend; may trigger notifications'),
  )
    .option('--tag, --add <tag,…>', 'tags to add: ids or names', collectWords)
    .option('--remove <tag,…>', 'tags to remove', collectWords)
    .option('--set <tag,…>', 'replace all tags by these', collectWords)
    .option('--clear', 'remove all tags');
  addChangeOptions(addGuardOptions(tagging));
  action<TagOptions & { add?: readonly string[] }>(tagging, async (context, options, ...operands) => {
    const named = parseFriendOperands(operands, options);
    const { add = [], remove = [], set, clear } = options;
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
    const lookup = new Lookup(context);
    const idsOf = async (find: IdResolver, names: readonly string[]): Promise<string[]> => {
      const ids: string[] = [];
      for (const name of names) ids.push(await find('tags', name));
      return [...new Set(ids)];
    };
    const make = async () => {
      const find: IdResolver = (resource, name) => lookup.id(resource, name);
      const [added, removed, replaced] = [
        await idsOf(find, add),
        await idsOf(find, remove),
        await idsOf(find, set ?? []),
      ];
      const friend = await readFriend(context, await findFriend(context, named));
      const has = Array.isArray(friend.tagIds) ? friend.tagIds.map(String) : [];
      const kept = [...has, ...added].filter((id) => !removed.includes(id));
      const tagIds = set || clear ? replaced : [...new Set(kept)];
      if (tagIds.length > limits.tagsPerRecord)
        throw invalidInputError(
          `A friend can have at most ${limits.tagsPerRecord} tags.`,
          'Remove some tags with --remove.',
        );
      return {
        action: 'set-friend-tags',
        ...formatFriend(friend),
        ...createFriendGuard(friend, options),
        tagIds,
      };
    };
    await runChange(context, options, make, async (known) => {
      const matcher = new JournalMatcher(lookup);
      const tagIds = Array.isArray(known.tagIds) ? known.tagIds.map(String) : [];
      const [added, removed] = [await idsOf(matcher.id, set ?? add), await idsOf(matcher.id, remove)];
      const remainingTags = removeTags(tagIds, added, matcher.matches);
      if (remainingTags === undefined || ((set || clear) && remainingTags.length > 0)) return false;
      // Which of the missing tags was to be removed is no longer known.
      if (removed.some((id) => !matcher.isPlaceholder(id) && tagIds.includes(id))) return false;
      return isSameFriend(context, named, options, known, { action: 'set-friend-tags' }, matcher);
    });
  });
  examples(
    tagging,
    ['orgchat friends tag USER --tag VIP'],
    ['orgchat friends tag ACCOUNT USER --tag VIP,Regular --remove New'],
    ['orgchat friends tag USER --set VIP', 'only the tag VIP'],
  );
}

/** Removes ids from a list; undefined if one of them is not in it. */
function removeTags(
  ids: readonly string[],
  asked: readonly string[],
  same: ValueMatcher,
): string[] | undefined {
  const remainingTags = [...ids];
  for (const one of asked) {
    const at = remainingTags.findIndex((id) => same(one, id));
    if (at === -1) return undefined;
    remainingTags.splice(at, 1);
  }
  return remainingTags;
}
