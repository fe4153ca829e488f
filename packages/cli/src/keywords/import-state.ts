import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { exitCodes } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { readJson, writeJson } from '../settings/files.ts';
import { importsDirectory } from '../settings/paths.ts';

const chunk = z.object({
  keywords: z.array(z.string()),
  /** `sending` is what a process that died leaves behind. */
  state: z.enum(['todo', 'sending', 'added', 'refused', 'unknown']),
  operationId: z.string().optional(),
  added: z.array(z.string()).default([]),
  skipped: z.array(z.string()).default([]),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});
export type Chunk = z.output<typeof chunk>;

const state = z.object({
  format: z.literal(1),
  baseUrl: z.string(),
  site: z.string(),
  group: z.string().optional(),
  startedAt: z.string(),
  chunks: z.array(chunk),
});
export type ImportState = z.output<typeof state>;

/** An import is known again by where it goes and what it adds. */
export function importPath(
  baseUrl: string,
  site: string,
  group: string | undefined,
  keywords: readonly string[],
): string {
  const what = JSON.stringify([baseUrl, site, group ?? null, keywords]);
  return join(importsDirectory(), `${createHash('sha256').update(what).digest('hex').slice(0, 32)}.json`);
}

export async function readImport(path: string): Promise<ImportState | undefined> {
  const found = await readJson(path);
  if (found === undefined) return undefined;
  const read = state.safeParse(found);
  if (read.success) return read.data;
  throw new Failure(`${path} is not the record of an import.`, {
    code: 'FILE_UNREADABLE',
    exit: exitCodes.failed,
    hint: `Move it away: mv ${path} ${path}.old`,
  });
}

export const writeImport = (path: string, value: ImportState): Promise<void> => writeJson(path, value);

export const isFinished = ({ chunks }: ImportState): boolean => chunks.every((one) => one.state === 'added');
