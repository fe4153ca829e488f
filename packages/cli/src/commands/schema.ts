import { changeActions, changeableResources, createChangeSchema, createDataSchema } from '@orgchat/spec';
import { Argument, type Command } from 'commander';
import { action, examples } from '../define-command.ts';
import { writeData } from '../output/streams.ts';

const configName = 'config';

export function configure(command: Command): void {
  const names = [configName, ...changeableResources, ...changeActions];
  command.addArgument(
    new Argument('<name>', 'resource, action of a change, or config: the configuration file').choices(names),
  );
  action(command, async ({ output }, _options, name = '') => {
    const schema = await createSchema(name);
    // A document, as other raw output: only a flag selects another form of it.
    const { fields, flagFormat = 'table' } = output;
    if (fields === undefined && flagFormat === 'table')
      return writeData(`${JSON.stringify(schema, null, 2)}\n`, 'json');
    await output.one(schema);
  });
  examples(
    command,
    ['orgchat schema scenarios', 'of the data that create and update take'],
    ['orgchat schema create-tags', 'of the change that "orgchat change" takes'],
    ['orgchat schema config > orgchat.schema.json', 'of the configuration file, for an editor'],
  );
}

async function createSchema(name: string): Promise<unknown> {
  const resource = changeableResources.find((one) => one === name);
  if (resource !== undefined) return createDataSchema(resource);
  const changed = changeActions.find((one) => one === name);
  if (changed !== undefined) return createChangeSchema(changed);
  const { createConfigSchema } = await import('../config/file/config-schema.ts');
  return createConfigSchema();
}
