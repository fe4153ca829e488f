import { isObject } from '@orgchat/spec/is-object';
import type { Command } from 'commander';
import { action, examples } from '../../define-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import { addControlOptions, type ControlOptions } from '../../mock/control-client.ts';
import { findInjectedFields, injections, parseFields, toInjectionPath } from '../../mock/injection.ts';
import { control, readDocument } from './control-access.ts';

interface InjectOptions extends ControlOptions {
  readonly to?: string;
  readonly data?: string;
  readonly organization?: string;
}

/** `mock inject`: adds a record that the API cannot create, such as a message from a friend. */
export function inject(command: Command): void {
  const injecting = addControlOptions(
    command
      .command('inject')
      .description('add a record that the API cannot create, such as a message from a friend'),
  )
    .argument('<what>', injections.join(', '))
    .argument('[field...]', 'string fields, as name=value')
    .option('--to <id>', 'what the record belongs to: accountId/userId of a message, form, link or project')
    .option('--data <file|->', 'data as JSON or YAML, from a file or standard input')
    .option('--organization <id>', 'organization (default: the first of the seed)')
    .addHelpText(
      'after',
      '\nThe fields are those of a seed. Ids and times may be omitted, and names may be used instead of ids.',
    );
  action<InjectOptions>(injecting, async (context, options, what = '', ...words) => {
    const path = toInjectionPath(what, options.to);
    context.requireFields({ names: findInjectedFields(what), isOpen: false });
    const fields = parseFields(words);
    const data = options.data === undefined ? {} : await readDocument(options.data);
    if (!isObject(data)) throw usageError('--data is not an object.', 'Pass the fields of one record.');
    const mock = control(context, options);
    const query = toOrganizationQuery(options);
    await context.output.one(await mock.call('POST', `${path}${query}`, { ...data, ...fields }));
  });
  examples(
    injecting,
    ["orgchat mock inject friend displayName='Mio Sato'"],
    ["orgchat mock inject message --to shop/aiko text='Are you open?'", 'a friend writes'],
    ['orgchat mock inject submission --to survey --data answers.yaml'],
    ['orgchat mock inject key name=Second scope=write --json'],
  );
}

const toOrganizationQuery = ({ organization }: InjectOptions): string =>
  organization === undefined ? '' : `?${new URLSearchParams({ organization })}`;
