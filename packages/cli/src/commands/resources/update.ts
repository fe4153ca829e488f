import { pickData } from '@orgchat/sdk/internal';
import type { ConfigurationResource } from '@orgchat/spec';
import { singularNames } from '@orgchat/spec/resources/names';
import type { Command } from 'commander';
import { addChangeOptions, type ChangeOptions } from '../../changes/change-options.ts';
import {
  addGuardOptions,
  createExpectation,
  createGuard,
  type Expectations,
} from '../../changes/record-guard.ts';
import { runChange } from '../../changes/run-change.ts';
import { action, examples } from '../../define-command.ts';
import { invalidInputError } from '../../errors/cli-error.ts';
import { addFieldFlags, asTyped, type Data, dataFromFlags, type IdResolver } from '../../resources/fields.ts';
import { getLookup } from '../../resources/lookup.ts';
import { readRecordByName } from '../../resources/record-by-name.ts';
import { checkSameRecord, type RecordFile, readRecordFile } from '../../resources/record-file.ts';
import { checkData } from '../../resources/validate-data.ts';

/**
 * Whether tags are set on a draft for all friends. A new draft with tags targets them; an update changes only the
 * given fields.
 */
const isStillForAll = (before: Data, { target, tagIds }: Data): boolean =>
  target === undefined && before.target === 'all' && Array.isArray(tagIds) && tagIds.length > 0;

interface UpdateOptions extends ChangeOptions, Expectations {
  readonly data?: string;
}

/** Flags and action of `update`. */
export function configureUpdate(updating: Command, resource: ConfigurationResource): void {
  addFieldFlags(updating, resource);
  addChangeOptions(addGuardOptions(updating, 'record'));
  action<UpdateOptions>(updating, async (context, options, named) => {
    const file: RecordFile =
      options.data === undefined ? { data: {}, record: {} } : await readRecordFile(resource, options.data);
    const given = options.data === undefined ? undefined : { name: options.data, data: file.data };
    const lookup = getLookup(context);
    const asked = async (resolver: IdResolver): Promise<Data> => {
      const data = { ...file.data, ...(await dataFromFlags(resource, { ...options }, resolver)) };
      if (Object.keys(data).length === 0)
        throw invalidInputError(
          `Nothing to update in ${singularNames[resource]} "${named}": no flags and no --data.`,
          'Pass flags or --data FILE. See the flags with --help.',
        );
      return data;
    };
    const { revision: expectRevision, label: expectLabel } = file.record;
    const expected: Expectations = { expectRevision, expectLabel, ...options };
    const make = async () => {
      const data = await asked(lookup);
      const before = await readRecordByName(context, resource, named);
      checkSameRecord(file.record.id, before.id, 'id');
      if (resource === 'broadcasts' && isStillForAll(before, data)) {
        context.output.warn('the target stays "all"; pass --target tags to send only to these tags');
      }
      const change = {
        action: `update-${resource}`,
        id: before.id,
        ...createGuard(before, expected),
        data: checkData(resource, { ...pickData<Data>(resource, before), ...data }, given),
      };
      return { change, before };
    };
    await runChange(context, options, {
      asked: ['update', resource, named, await asked(asTyped)],
      ...createExpectation(expected, [resource, 'get', named]),
      make,
    });
  });
  examples(
    updating,
    [`orgchat ${resource} update ID --data changes.yaml`],
    [`orgchat ${resource} get ID --json > record.json`, 'edit the record, then pass it back'],
    [`orgchat ${resource} update ID --data record.json`, 'fails if the record changed since'],
  );
}
