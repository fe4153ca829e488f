import { friendStatuses } from '@orgchat/spec';
import { type Command, Option } from 'commander';
import { addChangeOptions } from '../../changes/change-options.ts';
import { addGuardOptions, createGuard, type Expectations } from '../../changes/record-guard.ts';
import { runChange } from '../../changes/run-change.ts';
import { action, examples } from '../../define-command.ts';
import { invalidInputError } from '../../errors/cli-error.ts';
import {
  addFriendOperands,
  findFriend,
  parseFriendOperands,
  readFriend,
} from '../../friends/friend-operands.ts';
import type { Row } from '../../output/output.ts';
import { haveSameTags } from '../../resources/equal-data.ts';
import { checkSameRecord, type RecordFile, readRecordFile } from '../../resources/record-file.ts';
import { createFriendStaleHint, formatFriend, type GuardOptions, readPinnedFields } from './friend-guard.ts';

interface UpdateOptions extends GuardOptions {
  readonly notes?: string;
  readonly status?: string;
  readonly data?: string;
}

export function update(command: Command): void {
  const updating = addFriendOperands(
    command.command('update').description('update notes or status of a friend'),
  )
    .option('--notes <text>', 'internal notes; "none" clears them')
    .addOption(new Option('--status <status>', 'status of the conversation').choices(friendStatuses))
    .option('--data <file|->', 'data as JSON or YAML, from a file or standard input');
  addChangeOptions(addGuardOptions(updating, 'friend'));
  action<UpdateOptions>(updating, async (context, options, ...operands) => {
    const { data: whole, record }: RecordFile =
      options.data === undefined ? { data: {}, record: {} } : await readRecordFile('friends', options.data);
    const { tagIds, ...file } = whole;
    const isNamed = operands.length > 0 || options.userId !== undefined;
    const named = parseFriendOperands(isNamed ? operands : getFriendOperands(record), options);
    checkSameRecord(record.userId, named.user, 'userId');
    const { notes, status } = options;
    const data = {
      ...file,
      ...(notes !== undefined && { notes: notes === 'none' ? null : notes }),
      ...(status && { status }),
    };
    if (Object.keys(data).length === 0)
      throw invalidInputError(
        'Nothing to update: --notes, --status and --data are missing.',
        'Pass --notes, --status or --data FILE.',
      );
    const expected: Expectations = { expectRevision: record.revision, expectLabel: record.label, ...options };
    const make = async () => {
      const friend = await readFriend(context, await findFriend(context, named));
      checkSameRecord(record.accountId, friend.accountId, 'accountId');
      checkOnlyData({ ...record, tagIds }, friend);
      const change = {
        action: 'update-friend',
        ...formatFriend(friend),
        ...createGuard(friend, expected),
        data,
      };
      return { change, before: friend };
    };
    await runChange(context, options, {
      asked: ['update-friend', named.user, data],
      pinned: () => readPinnedFields(context, named, expected),
      staleHint: createFriendStaleHint(named, expected),
      make,
    });
  });
  examples(
    updating,
    ['orgchat friends update USER --status resolved'],
    ['orgchat friends update ACCOUNT USER --notes "Prefers mornings."'],
    ['orgchat friends get USER --json > friend.json', 'edit the record, then pass it back'],
    ['orgchat friends update --data friend.json', 'fails if the friend changed since'],
  );
}

/** The operands that name the friend of a file. */
const getFriendOperands = ({ accountId, userId }: Readonly<Record<string, string>>): string[] =>
  [accountId, userId].filter((part) => part !== undefined);

/** Rejects fields that an update cannot change. If the friend changed since, the revision detects it. */
function checkOnlyData(file: Row, friend: Row): void {
  if (file.revision !== undefined && file.revision !== friend.revision) return;
  if (file.tagIds !== undefined && !haveSameTags(file.tagIds, friend.tagIds))
    throw invalidInputError(
      'The update command cannot change tagIds.',
      'Use: orgchat friends tag USER --set TAG,…',
    );
  if (file.displayName !== undefined && file.displayName !== friend.displayName)
    throw invalidInputError(
      'The update command cannot change displayName: friends choose it themselves.',
      'Restore its previous value in the file.',
    );
}
