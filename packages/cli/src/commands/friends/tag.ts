import { limits } from '@orgchat/spec';
import type { Command } from 'commander';
import { addChangeOptions } from '../../changes/change-options.ts';
import { addGuardOptions, createGuard } from '../../changes/record-guard.ts';
import { runChange } from '../../changes/run-change.ts';
import { action, examples } from '../../define-command.ts';
import { invalidInputError, usageError } from '../../errors/cli-error.ts';
import {
  addFriendOperands,
  findFriend,
  parseFriendOperands,
  readFriend,
} from '../../friends/friend-operands.ts';
import { Lookup } from '../../resources/lookup.ts';
import { createFriendStaleHint, formatFriend, type GuardOptions, readPinnedFields } from './friend-guard.ts';

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
    .option('--tag, --add <tag,…>', 'tags to add: ids or names; repeatable')
    .option('--remove <tag,…>', 'tags to remove; repeatable')
    .option('--set <tag,…>', 'replace all tags with these; repeatable')
    .option('--clear', 'remove all tags');
  addChangeOptions(addGuardOptions(tagging, 'friend'));
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
    const make = async () => {
      const [added, removed, replaced] = [
        await lookup.ids('tags', add),
        await lookup.ids('tags', remove),
        await lookup.ids('tags', set ?? []),
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
        ...createGuard(friend, options),
        tagIds,
      };
    };
    const names = (list: readonly string[] = []): string[] => [...new Set(list)].sort();
    await runChange(context, options, {
      asked: ['tag', named.user, names(add), names(remove), set || clear ? names(set) : null],
      pinned: () => readPinnedFields(context, named, options),
      staleHint: createFriendStaleHint(named, options),
      make,
    });
  });
  examples(
    tagging,
    ['orgchat friends tag USER --tag VIP'],
    ['orgchat friends tag ACCOUNT USER --tag VIP,Regular --remove New'],
    ['orgchat friends tag USER --set VIP', 'only the tag VIP'],
  );
}
