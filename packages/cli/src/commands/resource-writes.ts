import type { ConfigurationResource } from '@orgchat/spec';
import { type Command, Option } from 'commander';
import { action, examples } from '../action.ts';
import { addChangeOptions, type ChangeOptions, runChange } from '../changes.ts';
import type { Context } from '../context.ts';
import { invalidInput, usage } from '../failure.ts';
import { readObject } from '../input.ts';
import { Lookup } from '../lookup.ts';
import {
  checkData,
  type Data,
  dataFromFlags,
  dataOfFile,
  type Given,
  withDefaults,
} from '../resources/collect-data.ts';
import { createExamples } from '../resources/examples.ts';
import { addFieldFlags, structuredFields } from '../resources/flags.ts';
import { type GuardOptions, namesSame, record } from '../resources/record.ts';
import { isSubset } from '../resources/subset.ts';

interface DataOptions extends ChangeOptions {
  readonly data?: string;
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

/** Flags and action of `create`. */
export function configureCreate(creating: Command, resource: ConfigurationResource): void {
  addFieldFlags(creating, resource).addOption(dataOption());
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

/** Flags and action of `update`. */
export function configureUpdate(updating: Command, resource: ConfigurationResource): void {
  updating.argument('<id>', 'its id, or its name');
  addFieldFlags(updating, resource).addOption(dataOption());
  updating
    .option('--expect-revision <revision>', 'change it only while it has this revision')
    .option('--expect-label <label>', 'change it only while it has this label');
  addChangeOptions(updating);
  action<GuardOptions & DataOptions>(updating, async (context, options, named) => {
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
