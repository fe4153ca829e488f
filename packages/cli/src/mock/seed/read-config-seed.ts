import { isSameLabel } from '@orgchat/sdk/internal';
import { type ConfigurationResource, configurationResources } from '@orgchat/spec';
import { singularNames } from '@orgchat/spec/resources/names';
import type { FileRecord } from '../../config/file/read-config.ts';
import { readConfig } from '../../config/file/read-config.ts';
import { isId, mapReferences, type Target } from '../../config/file/references.ts';
import type { Context } from '../../context.ts';
import type { Row } from '../../output/output.ts';
import { completeReferences } from './complete-references.ts';
import type { SeedOrganization } from './seed-organization.ts';

/** The id of an organization that is made from a file: the file does not say whose it is. */
const organizationId = 'org_config';

/** A name in place of an id, as seeds have it. Names of different resources must not meet. */
const toSeedName = (resource: Target | ConfigurationResource, label: string): string =>
  `${resource}/${label}`;

const getSeedId = ({ resource, id, label }: FileRecord): string => id ?? toSeedName(resource, label);

/** Reads a configuration file, as `config export` writes it, for a seed. */
export async function readConfigSeed(context: Context, file: string): Promise<SeedOrganization> {
  const { records } = await readConfig(file);
  const accountNames = new Set<string>();
  const absent = new Set<string>();

  /** The id of the record with a name: in a configuration file, references are names. */
  function findId(target: Target, name: string): string {
    if (target === 'accounts') accountNames.add(name);
    else {
      const found = records.find(({ resource, label }) => resource === target && isSameLabel(label, name));
      if (found !== undefined) return getSeedId(found);
      absent.add(`${singularNames[target]} "${name}"`);
    }
    return toSeedName(target, name);
  }

  const configuration = Object.fromEntries(
    configurationResources.map((resource): [ConfigurationResource, Row[]] => [
      resource,
      records
        .filter((record) => record.resource === resource)
        .map((record) => ({
          id: getSeedId(record),
          ...mapReferences(resource, record.data, (target, value) =>
            isId(target, value) ? value.toLowerCase() : findId(target, value),
          ),
        })),
    ]),
  );
  if (absent.size > 0)
    context.output.warn(
      `The file refers to records that it does not contain: ${[...absent].join(', ')}. In the seed they count as deleted.`,
    );
  const accounts = [...accountNames].map((name) => ({ id: toSeedName('accounts', name), name }));
  return completeReferences({
    id: organizationId,
    accounts,
    ...configuration,
  } as unknown as SeedOrganization);
}
