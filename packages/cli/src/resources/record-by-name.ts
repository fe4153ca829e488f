import type { ConfigurationResource } from '@orgchat/spec';
import type { Context } from '../context.ts';
import type { Row } from '../output/output.ts';
import { readOne } from './fetch-records.ts';
import { getLookup } from './lookup.ts';

/** Reads a record by its id or its name. */
export async function readRecordByName(
  context: Context,
  resource: ConfigurationResource,
  named: string,
): Promise<Row> {
  const id = await getLookup(context).id(resource, named);
  return readOne(await context.client(), resource, { id }, { signal: context.interrupt.signal });
}
