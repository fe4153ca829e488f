import type { ConfigurationResource } from '@orgchat/spec';
import { singularNames } from '@orgchat/spec/resources/names';
import type { Command } from 'commander';
import { addChangeOptions, type ChangeOptions } from '../../changes/change-options.ts';
import { runChange } from '../../changes/run-change.ts';
import { action, examples } from '../../define-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import { createExamples } from '../../resources/create-examples.ts';
import {
  addFieldFlags,
  asTyped,
  type Data,
  dataFromFlags,
  type IdResolver,
  structuredFields,
} from '../../resources/fields.ts';
import { getLookup } from '../../resources/lookup.ts';
import { readRecordFile } from '../../resources/record-file.ts';
import { checkData, withDefaults } from '../../resources/validate-data.ts';

interface CreateOptions extends ChangeOptions {
  readonly data?: string;
}

/** Flags and action of `create`. */
export function configureCreate(creating: Command, resource: ConfigurationResource): void {
  addFieldFlags(creating, resource);
  addChangeOptions(creating);
  const structured = structuredFields(resource);
  if (structured.length > 0)
    creating.addHelpText(
      'after',
      `\nSet only with --data: ${structured.join(', ')}. What they contain: orgchat schema ${resource}`,
    );
  action<CreateOptions>(creating, async (context, options) => {
    const { data: name } = options;
    const file = name === undefined ? undefined : { name, ...(await readRecordFile(resource, name)) };
    const lookup = getLookup(context);
    const asked = async (resolver: IdResolver): Promise<Data> => {
      const data = { ...file?.data, ...(await dataFromFlags(resource, { ...options }, resolver)) };
      if (Object.keys(data).length === 0)
        throw usageError(
          `No data for the new ${singularNames[resource]}.`,
          'Pass flags or --data FILE. See the flags with --help.',
        );
      return withDefaults(resource, data);
    };
    await runChange(context, options, {
      asked: ['create', resource, await asked(asTyped)],
      make: async () => {
        const data = await asked(lookup);
        return { change: { action: `create-${resource}`, data: checkData(resource, data, file) } };
      },
    });
  });
  examples(creating, ...createExamples[resource]);
}
