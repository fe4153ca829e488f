import { isObject } from '@orgchat/spec/is-object';
import { readableResources } from '@orgchat/spec/resources/names';
import { type Command, Option } from 'commander';
import { integer } from '../../args/value-parsers.ts';
import { action, examples } from '../../define-command.ts';
import { addControlOptions, type ControlOptions } from '../../mock/control-client.ts';
import type { Row } from '../../output/output.ts';
import { columns } from '../../resources/table-columns.ts';
import { control, toRows } from './control-access.ts';

interface RecordsOptions extends ControlOptions {
  readonly offset?: number;
  readonly limit?: number;
  readonly organization?: string;
}

/** `mock records`: lists records of a running mock, regardless of key permissions. */
export function records(command: Command): void {
  const listing = addControlOptions(
    command
      .command('records')
      .description('list the records of a running mock, regardless of key permissions'),
  )
    .argument('<resource>', 'resource of the API, sites or keywords')
    .addOption(new Option('--offset <n>', 'number of records to skip').argParser(integer(0)))
    .addOption(new Option('--limit <n>', 'maximum number of records (default 50)').argParser(integer(1)))
    .option('--organization <id>', 'organization (default: the first of the seed)');
  action<RecordsOptions>(listing, async (context, { offset, limit, organization, ...options }, resource) => {
    const query = new URLSearchParams({
      resource: resource ?? '',
      ...(offset !== undefined && { offset: String(offset) }),
      ...(limit !== undefined && { limit: String(limit) }),
      ...(organization !== undefined && { organization }),
    });
    const answer = await control(context, options).call('GET', `/records?${query}`);
    const rows = toRows(answer, 'records');
    await context.output.many(rows, findColumns(resource, rows[0]));
    const total = isObject(answer) ? Number(answer.total) : rows.length;
    if ((offset ?? 0) + rows.length < total) context.output.note(`There are ${total} records in total.`);
  });
  examples(
    listing,
    ['orgchat mock records friends'],
    ['orgchat mock records messages --limit 1 --json', 'the newest message'],
  );
}

/** The columns that lists of the API have; of what it does not list, the first fields. */
function findColumns(resource: string | undefined, first: Row = {}): readonly string[] {
  const known = readableResources.find((one) => one === resource);
  return known === undefined ? Object.keys(first).slice(0, maxColumns) : columns[known];
}

/** More columns would not fit on a terminal. */
const maxColumns = 6;
