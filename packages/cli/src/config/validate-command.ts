import type { Context } from '../context.ts';
import { readConfig } from './file/read-config.ts';

/** Checks a file without the network. */
export async function validateConfig(context: Context, name: string): Promise<void> {
  const file = await readConfig(name);
  await context.output.one({
    file: name,
    valid: true,
    records: file.records.length,
    resources: file.resources,
  });
}
