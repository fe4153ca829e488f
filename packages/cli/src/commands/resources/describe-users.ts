import type { ConfigurationResource } from '@orgchat/spec';
import { limits } from '@orgchat/spec/limits';
import { singularNames } from '@orgchat/spec/resources/names';
import { findReferringResources, findUsers, formatUsers, type Referrer } from '../../config/users.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import type { Row } from '../../output/output.ts';
import { listPages } from '../../resources/fetch-records.ts';
import { getFields } from '../../resources/fields.ts';
import { createListProgress, getName, readRecords } from '../../resources/read-list.ts';
import { pluralName } from '../../resources/resource-names.ts';

/** How many records of a resource are looked at: somebody waits for the question. */
const maxReferrers = 4 * limits.pageSize;

/**
 * What is known of the records that refer to those that are to be deleted, as sentences: the API keeps such references, and
 * they lead nowhere. With --yes nobody reads it, so nothing is requested.
 */
export async function describeUsers(
  context: Context,
  resource: ConfigurationResource,
  deleted: readonly Row[],
): Promise<string[]> {
  if (context.options.yes) return [];
  const friends = resource === 'tags' ? ['Friends with a deleted tag are not looked at.'] : [];
  const names = deleted.map((record) => `${singularNames[resource]} "${getName(record)}"`);
  try {
    const { referrers, cut } = await readReferrers(context, resource);
    const ids = new Set(deleted.map(({ id }) => String(id)));
    const remaining = referrers.filter(({ id }) => !ids.has(id));
    const found = deleted.flatMap(({ id }, index) => {
      const users = findUsers({ resource, id: String(id) }, remaining);
      return users.length > 0 ? [`The ${names[index]} is still used by ${formatUsers(users)}.`] : [];
    });
    const limited = cut.map(
      (one) => `Only the first ${maxReferrers} ${pluralName(one)} were looked at for references.`,
    );
    return [...found, ...limited, ...friends];
  } catch (error) {
    // It is only for information, so it must not end the command.
    if (context.interrupt.stopping) throw error;
    const { message } = await context.toCliError(error);
    return [`Cannot find out what uses ${names.join(' and ')}: ${message}`, ...friends];
  }
}

interface Referrers {
  readonly referrers: readonly Referrer[];
  /** Resources of which there are more records. */
  readonly cut: readonly ConfigurationResource[];
}

/** Reads the records that can refer to a resource. Throws if a list does not show its references. */
async function readReferrers(context: Context, target: ConfigurationResource): Promise<Referrers> {
  const client = await context.client();
  const referrers: Referrer[] = [];
  const cut: ConfigurationResource[] = [];
  for (const resource of findReferringResources(target)) {
    const progress = createListProgress();
    const read = listPages(client, resource, {}, context.bulkCall);
    for await (const record of readRecords(read, { limit: maxReferrers }, progress)) {
      if (!showsReferences(resource, record))
        throw new CliError(`The list of ${pluralName(resource)} does not show their data.`, {
          code: 'UNEXPECTED_ANSWER',
          exit: exitCodes.failed,
          hint: 'Look for references in the app.',
        });
      referrers.push({ resource, id: String(record.id), label: getName(record), data: { ...record } });
    }
    if (progress.more !== false) cut.push(resource);
  }
  return { referrers, cut };
}

/** Whether a row of a list has the data of its record, which a server may show only in the record itself. */
const showsReferences = (resource: ConfigurationResource, record: Row): boolean =>
  getFields(resource).every(({ name, optional }) => optional || name in record);
