import type { ConfigurationResource } from '@orgchat/spec';
import type { Command } from 'commander';
import { action, examples } from '../action.ts';
import { addChangeOptions, runChange } from '../changes.ts';
import { deletableResources } from '../contract.ts';
import { usage } from '../failure.ts';
import { lazily } from '../lazy.ts';
import { addListOptions, type ListOptions, patientMs, printBoundedList, printList } from '../lists.ts';
import { Lookup, labelOf } from '../lookup.ts';
import type { Row } from '../output/output.ts';
import { confirm, requireYes } from '../prompt.ts';
import { columns } from '../resources/columns.ts';
import { isConfigurationResource } from '../resources/names.ts';
import { readBounded, readPage } from '../resources/reader.ts';
import { type GuardOptions, namesSame, record } from '../resources/record.ts';
import { isSubset } from '../resources/subset.ts';

/** The commands of one configuration resource; `command` carries its name. */
export function configure(command: Command): void {
  const resource = command.name();
  if (!isConfigurationResource(resource)) throw new Error(`${resource} is no configuration resource`);
  list(command, resource);
  get(command, resource);
  // What the flags of these are comes from the contract's schemas, which reading does without.
  const data = ['--data <file|->', 'the data as JSON or YAML, from a file or standard input'] as const;
  lazily(command, 'create', 'create one', async () => {
    const { configureCreate } = await import('./resource-writes.ts');
    return { configure: (creating) => configureCreate(creating, resource) };
  }).option(...data);
  lazily(command, 'update', 'change what is given, and leave the rest', async () => {
    const { configureUpdate } = await import('./resource-writes.ts');
    return { configure: (updating) => configureUpdate(updating, resource) };
  })
    .argument('<id>', 'its id, or its name')
    .option(...data);
  remove(command, resource);
  if (resource === 'forms')
    related(
      command,
      'submissions',
      'form',
      'form-submissions',
      'list what friends filled in, latest first; the API returns no more than 50',
    );
  if (resource === 'links')
    related(
      command,
      'clicks',
      'link',
      'link-clicks',
      'list who followed the link, latest first; the API returns no more than 50',
    );
  examples(
    command,
    [`orgchat ${resource} list`],
    [`orgchat ${resource} get NAME --json > record.json`],
    [`orgchat ${resource} update NAME --data record.json`, 'after an edit; refused if somebody was quicker'],
  );
}

function list(command: Command, resource: ConfigurationResource): void {
  const listing = addListOptions(
    command.command('list').alias('ls').description(`list ${resource}, newest first`),
  );
  action<ListOptions>(listing, async (context, options) => {
    const client = await context.client();
    const call = { signal: context.interrupt.signal, timeoutMs: options.all ? patientMs : undefined };
    await printList(
      context,
      (offset, limit) => readPage(client, resource, { offset, limit }, call),
      options,
      resource,
      columns[resource],
    );
  });
  examples(
    listing,
    [`orgchat ${resource} list --limit 10`],
    [`orgchat ${resource} list --all --format ndjson`, 'every one, one a line, as they come'],
    [`orgchat ${resource} list --search spring --fields id,label`],
  );
}

function get(command: Command, resource: ConfigurationResource): void {
  const getting = command.command('get').description('print one').argument('<id>', 'its id, or its name');
  action(getting, async (context, _options, named) => {
    await context.output.one(await record(context, resource, named));
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
    .description(deletable ? 'delete one' : 'say why none can be deleted')
    .argument('<id>', 'its id, or its name')
    .option('--expect-revision <revision>', 'delete it only while it has this revision')
    .option('--expect-label <label>', 'delete it only while it has this label');
  addChangeOptions(removing);
  action<GuardOptions>(removing, async (context, options, named) => {
    if (!deletable) {
      throw usage(
        `The API cannot delete ${resource}.`,
        'Delete it in the app; an update can at least rename it.',
        'NOT_DELETABLE',
      );
    }
    if (!options.dryRun) requireYes(`Delete "${named}" of ${resource}?`, context.options.yes);
    const make = async (): Promise<Row> => {
      const before = await record(context, resource, named);
      if (!options.dryRun)
        await confirm(
          `Delete "${labelOf(before)}" (${String(before.id)}) of ${resource}?`,
          context.options.yes,
        );
      return {
        action: 'delete-configuration',
        resource,
        id: before.id,
        expectedRevision: options.expectRevision ?? before.revision,
        expectedLabel: options.expectLabel ?? before.label,
      };
    };
    const guard = { expectedRevision: options.expectRevision, expectedLabel: options.expectLabel };
    await runChange(
      context,
      options,
      make,
      (known) =>
        isSubset({ action: 'delete-configuration', resource, ...guard }, known) && namesSame(named, known),
    );
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
  const reading = command
    .command(name)
    .description(summary)
    .argument('<id>', `the id or name of the ${what}`);
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
