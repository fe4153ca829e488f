import type { ChangeOf } from '@orgchat/sdk';
import { endWaitsOnly } from '@orgchat/sdk/internal';
import type { ConfigurationResource, DeletableResource } from '@orgchat/spec';
import { deletableResources, singularNames, withArticle } from '@orgchat/spec/resources/names';
import type { Command } from 'commander';
import { addChangeOptions, type ChangeOptions, checkDryRun } from '../../changes/change-options.ts';
import {
  addGuardOptions,
  createExpectation,
  createGuard,
  type Expectations,
} from '../../changes/record-guard.ts';
import { runChange } from '../../changes/run-change.ts';
import { runMany } from '../../changes/run-many.ts';
import type { Context } from '../../context.ts';
import { action, examples } from '../../define-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import { confirm, requireYes } from '../../input/prompt.ts';
import type { Row } from '../../output/output.ts';
import { getLookup } from '../../resources/lookup.ts';
import { getName } from '../../resources/read-list.ts';
import { readRecordByName } from '../../resources/record-by-name.ts';
import { formatCount, pluralName } from '../../resources/resource-names.ts';
import { describeUsers } from './describe-users.ts';

type DeleteOptions = ChangeOptions & Expectations;

const isDeletable = (resource: ConfigurationResource): resource is DeletableResource =>
  deletableResources.some((known) => known === resource);

export function remove(command: Command, resource: ConfigurationResource): void {
  const removing = command
    .command('delete')
    .description(
      isDeletable(resource)
        ? `delete ${withArticle(singularNames[resource])}, or several`
        : 'not supported by the API',
    )
    .argument('<id...>', 'id or name; repeatable');
  addChangeOptions(addGuardOptions(removing, 'record'));
  action<DeleteOptions>(removing, async (context, options, ...names) => {
    if (!isDeletable(resource)) {
      throw usageError(
        `The API cannot delete ${pluralName(resource)}.`,
        'Delete it in the app, or rename it with update.',
        'NOT_DELETABLE',
      );
    }
    const [named = '', ...others] = names;
    if (others.length === 0) await removeOne(context, options, resource, named);
    else await removeMany(context, options, resource, names);
  });
  examples(
    removing,
    [`orgchat ${resource} delete ID`],
    [`orgchat ${resource} delete NAME OTHER --yes`, 'in a script'],
  );
}

async function removeOne(
  context: Context,
  options: DeleteOptions,
  resource: DeletableResource,
  named: string,
): Promise<void> {
  if (!options.dryRun) requireYes(`Delete ${singularNames[resource]} "${named}"?`, context.options.yes);
  const make = async () => {
    const before = await readRecordByName(context, resource, named);
    const users = await describeUsers(context, resource, [before]);
    const question = `Delete ${singularNames[resource]} "${getName(before)}" (${String(before.id)})?`;
    if (options.dryRun) for (const line of users) context.output.warn(line);
    else await confirm([...users, question].join(' '), context.options.yes);
    return { change: toDeletion(resource, before, options) };
  };
  await runChange(context, options, {
    asked: ['delete', resource, named],
    ...createExpectation(options, [resource, 'get', named]),
    make,
  });
}

const toDeletion = (resource: DeletableResource, before: Row, expected: Expectations) => ({
  action: 'delete-configuration' as const,
  resource,
  id: String(before.id),
  ...createGuard(before, expected),
});

async function removeMany(
  context: Context,
  options: DeleteOptions,
  resource: DeletableResource,
  names: readonly string[],
): Promise<void> {
  const { operationId, intent, expectRevision, expectLabel, dryRun } = options;
  checkDryRun(options, context.output);
  if ((operationId ?? intent ?? expectRevision ?? expectLabel) !== undefined)
    throw usageError(
      '--operation-id, --intent, --expect-revision and --expect-label are about one record, but several are named.',
      'Remove them, or delete one record per command.',
    );
  const question = `Delete ${formatCount(names.length, resource)}: ${names.map((name) => `"${name}"`).join(', ')}?`;
  if (!dryRun) requireYes(question, context.options.yes);
  const lookup = getLookup(context);
  // Nothing is deleted unless all of them exist.
  const ids = new Set<string>();
  for (const named of names) ids.add(await lookup.id(resource, named));
  const records = await Promise.all([...ids].map((id) => readRecordByName(context, resource, id)));
  const users = await describeUsers(context, resource, records);
  if (dryRun) {
    for (const line of users) context.output.warn(line);
    context.output.note('Nothing was sent (--dry-run).');
    return context.output.one({ changes: records.map((before) => toDeletion(resource, before, {})) });
  }
  await confirm([...users, question].join(' '), context.options.yes);
  const client = await context.client();
  const call = { timeoutMs: context.bulkTimeoutMs, ...endWaitsOnly(context.interrupt.signal) };
  await runMany(context, {
    what: pluralName(resource),
    items: records,
    identify: (record) => ({ id: record.id, name: getName(record) }),
    change: async (before) => {
      const change: ChangeOf<'delete-configuration'> = toDeletion(resource, before, {});
      return { outcome: 'applied', ...(await client.changeChat(change, call)) };
    },
    columns: ['name', 'outcome', 'id', 'error.message', 'operationId'],
  });
}
