import type { SeedDocument } from '@orgchat/mock-server';
import type { Guarded } from '@orgchat/sdk';
import { type ConfigurationResource, configurationResources } from '@orgchat/spec';
import { readWholeRecords, toRemoteRecord } from '../../config/organization.ts';
import type { Context } from '../../context.ts';
import type { Row } from '../../output/output.ts';
import { toComparableIds } from '../../resources/equal-data.ts';
import { readBounded } from '../../resources/fetch-records.ts';
import { completeReferences } from './complete-references.ts';
import { keepKnownFields } from './known-fields.ts';
import { ChildReader, type FriendCount, pick, readFriends } from './read-friends.ts';
import { readProjects } from './read-projects.ts';
import { describeAccount, type SeedOrganization } from './seed-organization.ts';

export interface ReadOptions {
  /** Friends to include, with all that friends wrote: messages, form submissions, clicks. */
  readonly friends: FriendCount | undefined;
  /** Whether to include the projects and documents of Studio. */
  readonly studio: boolean;
}

function toSeedRecord(resource: ConfigurationResource, record: Guarded<Row>): Row {
  const { id, data } = toRemoteRecord(resource, record);
  return { id, ...keepKnownFields(resource, data), ...pick(record, 'createdAt', 'updatedAt') };
}

/** Adds the submissions of each form and the clicks of each link. Takes one request for each. */
async function addFriendActivity(configuration: Record<string, Row[]>, children: ChildReader): Promise<void> {
  for (const form of configuration.forms ?? []) {
    const found = await children.read('form-submissions', { id: form.id });
    const submissions = found.map((one) => pick(one, 'id', 'accountId', 'userId', 'values', 'submittedAt'));
    Object.assign(form, { submissions });
  }
  for (const link of configuration.links ?? []) {
    const found = await children.read('link-clicks', { id: link.id });
    Object.assign(link, { clicks: found.map((one) => pick(one, 'id', 'accountId', 'userId', 'clickedAt')) });
  }
}

/** Reads an organization as it is, for a seed. Nothing is masked. */
export async function readOrganizationSeed(
  context: Context,
  { friends: count, studio }: ReadOptions,
): Promise<Pick<SeedDocument, 'plans'> & { readonly organization: SeedOrganization }> {
  const account = await context.account();
  const client = await context.client();
  const { records: accounts } = await readBounded(client, 'accounts', {}, context.bulkCall);
  const configuration: Record<string, Row[]> = {};
  for (const resource of configurationResources) {
    const records = await readWholeRecords(context, client, resource);
    configuration[resource] = records.map((record) => toSeedRecord(resource, record));
  }
  const children = new ChildReader(context);
  const friends = count === undefined ? [] : await readFriends(context, children, count);
  if (count !== undefined) await addFriendActivity(configuration, children);
  const projects = studio ? await readProjects(context) : [];
  if (children.cut > 0)
    context.output.warn(
      `The API returns only the newest 50 messages, submissions or clicks of a list. Lists with more: ${children.cut}. The seed has only their newest 50.`,
    );
  const { plans, organization } = describeAccount(account);
  const seed = toComparableIds({
    id: account.organizationId,
    ...organization,
    accounts: accounts.map((one) => pick(one, 'id', 'name', 'createdAt')).toReversed(),
    ...configuration,
    friends,
    projects,
  }) as SeedOrganization;
  return { ...(plans !== undefined && { plans }), organization: completeReferences(seed) };
}
