import type { ConfigurationResource } from '@orgchat/spec';
import type { Command } from 'commander';
import { action, examples } from '../action.ts';
import { addChangeOptions, type ChangeOptions, runChange } from '../changes.ts';
import { invalidInput, usage } from '../failure.ts';
import { readObject } from '../input.ts';
import { Lookup } from '../lookup.ts';
import { Recall } from '../recall.ts';
import {
  checkData,
  checkSameRecord,
  type Data,
  dataFromFlags,
  type Given,
  givenIn,
  type ResolveId,
  withDefaults,
} from '../resources/collect-data.ts';
import { createExamples } from '../resources/examples.ts';
import { addFieldFlags, structuredFields } from '../resources/flags.ts';
import { type GuardOptions, namesSame, record } from '../resources/record.ts';
import { isSubset } from '../resources/subset.ts';

interface DataOptions extends ChangeOptions {
  readonly data?: string;
}

const fileOf = async (resource: ConfigurationResource, { data }: DataOptions): Promise<Given> =>
  data === undefined ? { data: {}, record: {} } : givenIn(resource, await readObject(data));

/** Flags and action of `create`. */
export function configureCreate(creating: Command, resource: ConfigurationResource): void {
  addFieldFlags(creating, resource);
  addChangeOptions(creating);
  const structured = structuredFields(resource);
  if (structured.length > 0)
    creating.addHelpText('after', `\nOnly --data can carry: ${structured.join(', ')}`);
  action<DataOptions>(creating, async (context, options) => {
    const file = await fileOf(resource, options);
    const lookup = new Lookup(context);
    const recall = new Recall(lookup);
    const change = async (resolve: ResolveId): Promise<Data> => {
      const data = { ...file.data, ...(await dataFromFlags(resource, { ...options }, resolve)) };
      if (Object.keys(data).length === 0)
        throw usage('Nothing was given to create it from.', 'Give the flags, or --data FILE: add --help.');
      return { action: `create-${resource}`, data: checkData(resource, withDefaults(resource, data)) };
    };
    await runChange(
      context,
      options,
      () => change((target, name) => lookup.id(target, name)),
      async (known) => isSubset(await change(recall.id), known, recall.same),
    );
  });
  examples(creating, ...createExamples[resource]);
}

/** Whether tags are given to a draft for all. A new draft with tags is for these; an update changes only what it is given. */
const isStillForAll = (before: Data, { target, tagIds }: Data): boolean =>
  target === undefined && before.target === 'all' && Array.isArray(tagIds) && tagIds.length > 0;

/** Flags and action of `update`. */
export function configureUpdate(updating: Command, resource: ConfigurationResource): void {
  addFieldFlags(updating, resource);
  updating
    .option('--expect-revision <revision>', 'change it only while it has this revision')
    .option('--expect-label <label>', 'change it only while it has this label');
  addChangeOptions(updating);
  action<GuardOptions & DataOptions>(updating, async (context, options, named) => {
    const file = await fileOf(resource, options);
    const lookup = new Lookup(context);
    const recall = new Recall(lookup);
    const asked = async (resolve: ResolveId): Promise<Data> => {
      const data = { ...file.data, ...(await dataFromFlags(resource, { ...options }, resolve)) };
      if (Object.keys(data).length === 0)
        throw invalidInput('Nothing was given to change.', 'Give the flags, or --data FILE: add --help.');
      return data;
    };
    const guard = {
      expectedRevision: options.expectRevision ?? file.record.revision,
      expectedLabel: options.expectLabel ?? file.record.label,
    };
    const make = async (): Promise<Data> => {
      const data = await asked((target, name) => lookup.id(target, name));
      const before = await record(context, resource, named);
      checkSameRecord(file.record.id, before.id, 'id');
      if (resource === 'broadcasts' && isStillForAll(before, data)) {
        context.output.warn('its target stays all; for its tags alone: --target tags');
      }
      return {
        action: `update-${resource}`,
        id: before.id,
        expectedRevision: guard.expectedRevision ?? before.revision,
        expectedLabel: guard.expectedLabel ?? before.label,
        data: checkData(resource, { ...givenIn(resource, before).data, ...data }),
      };
    };
    await runChange(context, options, make, async (known) => {
      const change = { action: `update-${resource}`, ...guard, data: await asked(recall.id) };
      return isSubset(change, known, recall.same) && namesSame(named, known);
    });
  });
  examples(
    updating,
    [`orgchat ${resource} update ID --data changes.yaml`],
    [`orgchat ${resource} get ID --json > record.json`, 'what was read can be edited and given back'],
    [
      `orgchat ${resource} update ID --data record.json`,
      'its revision and label guard it; the rest is ignored',
    ],
  );
}
