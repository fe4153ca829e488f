import { join } from 'node:path';
import * as z from 'zod';
import { exitCodes } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { readJson, writeJson } from './files.ts';
import { configDirectory } from './paths.ts';

const profile = z.object({
  baseUrl: z.string(),
  /** Where the key is kept. */
  store: z.enum(['keychain', 'file']),
});
export type Profile = z.output<typeof profile>;

const file = z.object({ current: z.string().optional(), profiles: z.record(z.string(), profile) });
export type Profiles = z.output<typeof file>;

export const profilesPath = (): string => join(configDirectory(), 'profiles.json');

export async function readProfiles(): Promise<Profiles> {
  const found = await readJson(profilesPath());
  if (found === undefined) return { profiles: {} };
  const read = file.safeParse(found);
  if (read.success) return read.data;
  throw new Failure(`${profilesPath()} is not a file of profiles.`, {
    code: 'FILE_UNREADABLE',
    exit: exitCodes.failed,
    hint: 'Move it away and log in again: orgchat auth login',
  });
}

export const writeProfiles = (profiles: Profiles): Promise<void> => writeJson(profilesPath(), profiles);
