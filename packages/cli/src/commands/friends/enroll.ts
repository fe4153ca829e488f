import type { Command } from 'commander';
import { addChangeOptions, type ChangeOptions } from '../../changes/change-options.ts';
import { runChange } from '../../changes/run-change.ts';
import { action, examples } from '../../define-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import {
  addFriendOperands,
  type FriendOptions,
  findFriend,
  parseFriendOperands,
} from '../../friends/friend-operands.ts';
import { getLookup } from '../../resources/lookup.ts';
import { readPinnedFields } from './friend-guard.ts';

export function enroll(command: Command): void {
  const enrolling = addFriendOperands(
    command.command('enroll').description('enroll a friend in a scenario; may trigger notifications'),
    '[scenario]',
  ).option('--scenario, --scenario-id <scenario>', 'same as the positional argument');
  addChangeOptions(enrolling);
  action<FriendOptions & ChangeOptions & { scenarioId?: string }>(
    enrolling,
    async (context, options, ...operands) => {
      const named = parseFriendOperands(operands, options);
      const scenario = options.scenarioId ?? named.further;
      if (scenario === undefined)
        throw usageError(
          'No scenario specified: the argument and --scenario are missing.',
          'Pass --scenario NAME.',
        );
      const make = async () => ({
        change: {
          action: 'enroll-scenario',
          ...(await findFriend(context, named)),
          scenarioId: await getLookup(context).id('scenarios', scenario),
        },
      });
      await runChange(context, options, {
        asked: ['enroll', named.user, scenario],
        pinned: () => readPinnedFields(context, named),
        make,
      });
    },
  );
  examples(enrolling, ['orgchat friends enroll USER --scenario "Welcome series"']);
}
