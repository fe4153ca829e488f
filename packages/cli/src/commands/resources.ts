import type { ConfigurationResource } from '@orgchat/spec';
import { limits } from '@orgchat/spec/limits';
import { singularNames, withArticle } from '@orgchat/spec/resources/names';
import type { Command } from 'commander';
import { action, examples, lazily } from '../define-command.ts';
import { listPages, readBounded } from '../resources/fetch-records.ts';
import { getLookup } from '../resources/lookup.ts';
import { addListOptions, printBoundedList, printList } from '../resources/print-list.ts';
import type { ListOptions } from '../resources/read-list.ts';
import { readRecordByName } from '../resources/record-by-name.ts';
import { isConfigurationResource, pluralName } from '../resources/resource-names.ts';
import { columns } from '../resources/table-columns.ts';
import { remove } from './resources/delete.ts';

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
    .description(`show ${withArticle(singularNames[resource])}, or several`)
    .argument('<id...>', 'id or name; repeatable');
  action(getting, async (context, _options, ...names) => {
    const [first = '', ...others] = names;
    const lookup = getLookup(context);
    if (others.length === 0) return context.output.one(await readRecordByName(context, resource, first));
    // Nothing is printed unless all of them exist.
    const ids: string[] = [];
    for (const named of names) ids.push(await lookup.id(resource, named));
    const records = await Promise.all(ids.map((id) => readRecordByName(context, resource, id)));
    await context.output.many(records, columns[resource]);
  });
  examples(
    getting,
    [`orgchat ${resource} get ID`],
    [`orgchat ${resource} get NAME OTHER --format ndjson`, 'a line per record'],
    [`orgchat ${resource} get NAME --format value --fields id`, 'the bare id, for a script'],
    [`orgchat ${resource} get NAME --format yaml > record.yaml`],
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
    const id = await getLookup(context).id(owner, named);
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
