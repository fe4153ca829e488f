import type { ConfigurationResource } from '@orgchat/spec';
import { limits } from '@orgchat/spec/limits';
import { deletableResources, singularNames, withArticle } from '@orgchat/spec/resources/names';
import type { Command } from 'commander';
import { addChangeOptions, type ChangeOptions } from '../changes/change-options.ts';
import {
  addGuardOptions,
  createGuard,
  createStaleHint,
  type Expectations,
  givenGuard,
} from '../changes/record-guard.ts';
import { runChange } from '../changes/run-change.ts';
import { action, examples, lazily } from '../define-command.ts';
import { usageError } from '../errors/cli-error.ts';
import { confirm, requireYes } from '../input/prompt.ts';
import type { Row } from '../output/output.ts';
import { listPages, readBounded } from '../resources/fetch-records.ts';
import { Lookup } from '../resources/lookup.ts';
import { addListOptions, printBoundedList, printList } from '../resources/print-list.ts';
import type { ListOptions } from '../resources/read-list.ts';
import { getName } from '../resources/read-list.ts';
import { readRecordByName } from '../resources/record-by-name.ts';
import { isConfigurationResource, pluralName } from '../resources/resource-names.ts';
import { columns } from '../resources/table-columns.ts';

/** The commands of one configuration resource; `command` carries its name. */
export function configure(command: Command): void {
  const resource = command.name();
  if (!isConfigurationResource(resource)) throw new Error(`${resource} is not a configuration resource`);
  list(command, resource);
  get(command, resource);
  // The flags of these come from the schemas of the contract, which are loaded only when needed.
  const data = ['--data <file|->', 'data as JSON or YAML, from a file or standard input'] as const;
  lazily(command, 'create', `create ${withArticle(singularNames[resource])}`, async () => {
    const { configureCreate } = await import('./resources/create.ts');
    return { configure: (creating) => configureCreate(creating, resource) };
  }).option(...data);
  lazily(
    command,
    'update',
    `update the given fields of ${withArticle(singularNames[resource])}`,
    async () => {
      const { configureUpdate } = await import('./resources/update.ts');
      return { configure: (updating) => configureUpdate(updating, resource) };
    },
  )
    .argument('<id>', 'id or name')
    .option(...data);
  remove(command, resource);
  if (resource === 'forms')
    related(
      command,
      'submissions',
      'form',
      'form-submissions',
      `list submissions, newest first (the API returns at most ${limits.pageSize})`,
    );
  if (resource === 'links')
    related(
      command,
      'clicks',
      'link',
      'link-clicks',
      `list clicks, newest first (the API returns at most ${limits.pageSize})`,
    );
  examples(
    command,
    [`orgchat ${resource} list`],
    [`orgchat ${resource} get NAME --json > record.json`],
    [
      `orgchat ${resource} update NAME --data record.json`,
      'after an edit; fails if someone else changed it first',
    ],
  );
}

function list(command: Command, resource: ConfigurationResource): void {
  const listing = addListOptions(
    command.command('list').alias('ls').description(`list ${resource}, newest first`),
  );
  action<ListOptions>(listing, async (context, options) => {
    const client = await context.client();
    const call = context.createListCall(options.all);
    await printList(
      context,
      listPages(client, resource, {}, call),
      options,
      pluralName(resource),
      columns[resource],
    );
  });
  examples(
    listing,
    [`orgchat ${resource} list --limit 10`],
    [`orgchat ${resource} list --all --format ndjson`, 'all records, one per line, streamed'],
    [`orgchat ${resource} list --search spring --fields id,label`],
  );
}

function get(command: Command, resource: ConfigurationResource): void {
  const getting = command
    .command('get')
    .description(`show ${withArticle(singularNames[resource])}`)
    .argument('<id>', 'id or name');
  action(getting, async (context, _options, named) => {
    await context.output.one(await readRecordByName(context, resource, named));
  });
  examples(
    getting,
    [`orgchat ${resource} get ID`],
    [`orgchat ${resource} get NAME --format yaml > record.yaml`],
  );
}

function remove(command: Command, resource: ConfigurationResource): void {
  const deletable = deletableResources.some((known) => known === resource);
  const removing = command
    .command('delete')
    .description(deletable ? `delete ${withArticle(singularNames[resource])}` : 'not supported by the API')
    .argument('<id>', 'id or name');
  addChangeOptions(addGuardOptions(removing, 'record'));
  action<ChangeOptions & Expectations>(removing, async (context, options, named) => {
    if (!deletable) {
      throw usageError(
        `The API cannot delete ${pluralName(resource)}.`,
        'Delete it in the app, or rename it with update.',
        'NOT_DELETABLE',
      );
    }
    if (!options.dryRun) requireYes(`Delete ${singularNames[resource]} "${named}"?`, context.options.yes);
    const make = async (): Promise<Row> => {
      const before = await readRecordByName(context, resource, named);
      if (!options.dryRun)
        await confirm(
          `Delete ${singularNames[resource]} "${getName(before)}" (${String(before.id)})?`,
          context.options.yes,
        );
      return {
        action: 'delete-configuration',
        resource,
        id: before.id,
        ...createGuard(before, options),
      };
    };
    await runChange(context, options, {
      asked: ['delete', resource, named],
      pinned: () => givenGuard(options),
      staleHint: createStaleHint(options, [resource, 'get', named]),
      make,
    });
  });
  examples(
    removing,
    [`orgchat ${resource} delete ID`],
    [`orgchat ${resource} delete ID --yes`, 'in a script'],
  );
}

function related(
  command: Command,
  name: string,
  what: string,
  resource: 'form-submissions' | 'link-clicks',
  summary: string,
): void {
  const owner = resource === 'form-submissions' ? 'forms' : 'links';
  const reading = command.command(name).description(summary).argument('<id>', `id or name of the ${what}`);
  action(reading, async (context, _options, named) => {
    const id = await new Lookup(context).id(owner, named);
    const client = await context.client();
    const call = { signal: context.interrupt.signal };
    await printBoundedList(
      context,
      await readBounded(client, resource, { id }, call),
      name,
      columns[resource],
    );
  });
  examples(reading, [`orgchat ${owner} ${name} ID --format ndjson`]);
}
