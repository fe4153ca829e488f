import { chmod, stat } from 'node:fs/promises';
import { createMock, type SeedDocument } from '@orgchat/mock-server';
import { configurationResources } from '@orgchat/spec/resources/names';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { checkWritable } from '../../output/write-file.ts';
import { formatCount } from '../../resources/resource-names.ts';
import { maskOrganization } from '../mask/mask-organization.ts';
import { readConfigSeed } from './read-config-seed.ts';
import type { FriendCount } from './read-friends.ts';
import { readOrganizationSeed } from './read-organization-seed.ts';
import { createSeedDocument, type SeedOrganization } from './seed-organization.ts';

/** Where the data of a seed comes from. */
export type SeedSource =
  | { readonly kind: 'organization'; readonly friends: FriendCount | undefined; readonly studio: boolean }
  | { readonly kind: 'config'; readonly file: string };

export interface SeedFromOptions {
  readonly source: SeedSource;
  readonly mask: boolean;
  /** The file to write; standard output if absent. */
  readonly file: string | undefined;
}

/** What a seed contains: `3 tags, 1 link, 5 friends with 11 messages`. */
function describeContents(organization: SeedOrganization): string {
  const counts = configurationResources.flatMap((resource) => {
    const count = organization[resource]?.length ?? 0;
    return count === 0 ? [] : [formatCount(count, resource)];
  });
  const friends = organization.friends ?? [];
  if (friends.length > 0) {
    const messages = friends.reduce((sum, friend) => sum + (friend.messages?.length ?? 0), 0);
    counts.push(`${formatCount(friends.length, 'friends')} with ${formatCount(messages, 'messages')}`);
  }
  const documents = (organization.projects ?? []).flatMap((project) => project.documents ?? []);
  if (documents.length > 0) counts.push(`${documents.length} document${documents.length === 1 ? '' : 's'}`);
  return counts.length === 0 ? 'no records' : counts.join(', ');
}

/** Fails if a mock would not accept the seed: the service may send what the contract does not allow. */
function requireUsable(seed: SeedDocument): void {
  try {
    createMock({ seed });
  } catch (error) {
    throw new CliError(`The data cannot be used as a seed: ${(error as Error).message}`, {
      code: 'INVALID_SEED',
      exit: exitCodes.failed,
      hint: 'A record does not follow the contract. Compare it with the API document: orgchat mock start, then GET /openapi.yaml',
      cause: error,
    });
  }
}

/** An existing file keeps its mode when it is replaced, so it must be private before. */
async function makePrivate(file: string): Promise<void> {
  const before = await stat(file).catch(() => undefined);
  if (before?.isFile()) await chmod(file, 0o600);
}

/** Creates a seed from an organization or a configuration file. Says what it contains. */
export async function createSeedFrom(
  context: Context,
  { source, mask, file }: SeedFromOptions,
): Promise<SeedDocument> {
  if (file !== undefined) await checkWritable(file);
  const read =
    source.kind === 'organization'
      ? await readOrganizationSeed(context, source)
      : { organization: await readConfigSeed(context, source.file) };
  const organization = mask ? maskOrganization(read.organization) : read.organization;
  const seed = createSeedDocument(organization, 'plans' in read ? read.plans : undefined);
  requireUsable(seed);
  if (file !== undefined) await makePrivate(file);
  const contents = describeContents(organization);
  if (mask) context.output.note(`The seed contains ${contents}. Texts, names, ids and URLs are masked.`);
  else if (source.kind === 'organization')
    context.output.warn(
      `The seed contains real data that is not masked: ${contents}. Do not commit or share it.`,
    );
  else context.output.note(`The seed contains ${contents}, as in the file.`);
  return seed;
}
