import type { Command } from 'commander';
import { addChangeOptions } from '../../changes/change-options.ts';
import { addGuardOptions, createGuard } from '../../changes/record-guard.ts';
import { runChange } from '../../changes/run-change.ts';
import { action, examples } from '../../define-command.ts';
import {
  addFriendOperands,
  findFriend,
  parseFriendOperands,
  readFriend,
} from '../../friends/friend-operands.ts';
import { getLookup } from '../../resources/lookup.ts';
import { createFriendStaleHint, formatFriend, type GuardOptions, readPinnedFields } from './friend-guard.ts';
import { checkTagFlags, readTagEdit, type TagFlags } from './tag-edit.ts';
import { tagMany } from './tag-many.ts';

export function tag(command: Command): void {
  const tagging = addFriendOperands(
    command
      .command('tag')
      .description('add or remove tags of a friend, or of a list of friends; may trigger notifications'),
  )
    .option('--tag, --add <tag,…>', 'tags to add: ids or names; repeatable')
    .option('--remove <tag,…>', 'tags to remove; repeatable')
    .option('--set <tag,…>', 'replace all tags with these; repeatable')
    .option('--clear', 'remove all tags');
  addChangeOptions(addGuardOptions(tagging, 'friend'));
  tagging.addHelpText(
    'after',
    '\nWith - as the friend, it reads friends from standard input, one per line: a user id, ACCOUNT/USER, or a JSON\nobject with userId and accountId. It needs --yes, and prints a result per friend.',
  );
  action<TagFlags & GuardOptions>(tagging, async (context, options, ...operands) => {
    checkTagFlags(options);
    if (operands.includes('-')) return tagMany(context, options, operands);
    const named = parseFriendOperands(operands, options);
    const make = async () => {
      const edit = await readTagEdit(getLookup(context), options);
      const friend = await readFriend(context, await findFriend(context, named));
      const has = Array.isArray(friend.tagIds) ? friend.tagIds.map(String) : [];
      const change = {
        action: 'set-friend-tags',
        ...formatFriend(friend),
        ...createGuard(friend, options),
        tagIds: edit.apply(has),
      };
      return { change, before: friend };
    };
    const { add, remove, set, clear } = options;
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
    ['orgchat friends tag - --tag VIP --yes < ids.txt', 'many friends, one per line'],
  );
}
