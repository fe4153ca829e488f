import { type ConfigurationResource, deletableResources } from '@orgchat/spec';
import { type Command, Option } from 'commander';
import { action, examples } from '../action.ts';
import { addChangeOptions, type ChangeOptions, runChange } from '../changes.ts';
import type { Context } from '../context.ts';
import { invalidInput, usage } from '../failure.ts';
import { readObject } from '../input.ts';
import { addListOptions, type ListOptions, patientMs, printList } from '../lists.ts';
import { Lookup, labelOf } from '../lookup.ts';
import { confirm, requireYes } from '../prompt.ts';
import {
  checkData,
  type Data,
  dataFromFlags,
  dataOfFile,
  type Given,
  withDefaults,
} from '../resources/collect-data.ts';
import { columns } from '../resources/columns.ts';
import { createExamples } from '../resources/examples.ts';
import { isConfigurationResource } from '../resources/fields.ts';
import { addFieldFlags, structuredFields } from '../resources/flags.ts';
import { readOne, readPage } from '../resources/reader.ts';
import { isSubset } from '../resources/subset.ts';

interface DataOptions extends ChangeOptions {
  readonly data?: string;
}
interface GuardOptions extends DataOptions {
  readonly expectRevision?: string;
  readonly expectLabel?: string;
}

/** The commands of one configuration resource; `command` carries its name. */
export function configure(command: Command): void {
  const resource = command.name();
  if (!isConfigurationResource(resource)) throw new Error(`${resource} is no configuration resource`);
  list(command, resource);
  get(command, resource);
  create(command, resource);
  update(command, resource);
  remove(command, resource);
  if (resource === 'forms')
    related(command, 'submissions', 'form', 'form-submissions', 'what friends filled in');
  if (resource === 'links') related(command, 'clicks', 'link', 'link-clicks', 'who followed the link');
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

async function record(context: Context, resource: ConfigurationResource, named: string): Promise<Data> {
  const id = await new Lookup(context).id(resource, named);
  return readOne(await context.client(), resource, { id }, { signal: context.interrupt.signal });
}

const dataOption = (): Option =>
  new Option('--data <file|->', 'the data as JSON or YAML, from a file or standard input');

/** What --data and the flags give together; a flag goes before the file. */
async function given(
  context: Context,
  resource: ConfigurationResource,
  options: DataOptions,
): Promise<Given> {
  const lookup = new Lookup(context);
  const file = options.data === undefined ? undefined : dataOfFile(resource, await readObject(options.data));
  const flags = await dataFromFlags(resource, { ...options }, (target, name) => lookup.id(target, name));
  return { revision: file?.revision, label: file?.label, data: { ...file?.data, ...flags } };
}

function create(command: Command, resource: ConfigurationResource): void {
  const creating = addFieldFlags(command.command('create').description('create one'), resource).addOption(
    dataOption(),
  );
  addChangeOptions(creating);
  const structured = structuredFields(resource);
  if (structured.length > 0)
    creating.addHelpText('after', `\nOnly --data can carry: ${structured.join(', ')}`);
  action<DataOptions>(creating, async (context, options) => {
    const { data } = await given(context, resource, options);
    if (Object.keys(data).length === 0)
      throw usage('Nothing was given to create it from.', 'Give the flags, or --data FILE: add --help.');
    const complete = checkData(resource, withDefaults(resource, data));
    const change = { action: `create-${resource}`, data: complete };
    await runChange(
      context,
      options,
      async () => change,
      (known) => isSubset(change, known),
    );
  });
  examples(creating, ...createExamples[resource]);
}

function update(command: Command, resource: ConfigurationResource): void {
  const updating = command
    .command('update')
    .description('change what is given, and leave the rest')
    .argument('<id>', 'its id, or its name');
  addFieldFlags(updating, resource).addOption(dataOption());
  updating
    .option('--expect-revision <revision>', 'change it only while it has this revision')
    .option('--expect-label <label>', 'change it only while it has this label');
  addChangeOptions(updating);
  action<GuardOptions>(updating, async (context, options, named) => {
    const { data, revision, label } = await given(context, resource, options);
    if (Object.keys(data).length === 0)
      throw invalidInput('Nothing was given to change.', 'Give the flags, or --data FILE: add --help.');
    const make = async (): Promise<Data> => {
      const before = await record(context, resource, named);
      return {
        action: `update-${resource}`,
        id: before.id,
        expectedRevision: options.expectRevision ?? revision ?? before.revision,
        expectedLabel: options.expectLabel ?? label ?? before.label,
        data: checkData(resource, { ...dataOfFile(resource, before).data, ...data }),
      };
    };
    await runChange(
      context,
      options,
      make,
      (known) => isSubset({ action: `update-${resource}`, data }, known) && namesSame(named, known),
    );
  });
  examples(
    updating,
    [`orgchat ${resource} update ID --data changes.yaml`],
    [`orgchat ${resource} get ID --json > record.json`, 'a record that was read and edited goes back'],
    [`orgchat ${resource} update ID --data record.json`, 'only if nobody changed it since'],
  );
}

/** Whether a journaled change is to the record named; a name was resolved when it was first sent. */
const namesSame = (named: string, known: Readonly<Record<string, unknown>>): boolean =>
  known.id === named.toLowerCase() || known.expectedLabel === named || !/^[0-9a-f-]{36}$/i.test(named);

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
    const make = async (): Promise<Data> => {
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
    await runChange(
      context,
      options,
      make,
      (known) => isSubset({ action: 'delete-configuration', resource }, known) && namesSame(named, known),
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
    await printList(
      context,
      () => readPage(client, resource, { id }, call),
      { limit: Number.MAX_SAFE_INTEGER },
      columns[resource],
    );
  });
  examples(reading, [`orgchat ${owner} ${name} ID --format ndjson`]);
}
