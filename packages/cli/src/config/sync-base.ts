import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type ConfigurationResource, configurationResources } from '@orgchat/spec';
import * as z from 'zod';
import type { Data } from '../resources/data-fields.ts';
import { stateDirectory } from '../settings/directories.ts';
import { readJson, writeJson } from '../settings/private-files.ts';
import { getDataLabel } from './file/parse-data.ts';

/*
 * The base is the last common state of file and organization, record by record, stored by an export or an apply. It
 * shows who made a difference: the file or the organization.
 */

const shape = z.object({
  format: z.literal('orgchat-base'),
  organizationId: z.string(),
  /** A new random value with each update, so that a change is detected without a clock. */
  stamp: z.string(),
  /** Those of which file and organization once said the same as a whole. */
  whole: z.array(z.enum(configurationResources)),
  /** By resource, then by id. */
  records: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))),
  /** Ids of records that were never in the file, and were there when the file was applied for the first time. */
  unmanaged: z.array(z.string()).optional(),
});
type StoredBase = z.output<typeof shape>;

/** Identifies a base: the file, the organization and its server. */
export interface BaseKey {
  /** The whole path. */
  readonly file: string;
  readonly baseUrl: string;
  readonly organizationId: string;
}

export interface BaseRecord {
  readonly resource: ConfigurationResource;
  readonly id: string;
  readonly data: Data;
}

/** What is now the same on both sides. */
export interface BaseUpdate {
  /** Resources of which now everything is. */
  readonly whole: readonly ConfigurationResource[];
  readonly records: readonly BaseRecord[];
  /** Neither side has these any more. */
  readonly gone: readonly Pick<BaseRecord, 'resource' | 'id'>[];
  /** Ids of records that were there before the file was known to say the same as the organization. */
  readonly unmanaged?: readonly string[];
}

export class SyncBase {
  private unmanaged: ReadonlySet<string> | undefined;

  constructor(private readonly kept: StoredBase) {}

  get stamp(): string {
    return this.kept.stamp;
  }

  /** Whether a record that is not in the base was on one side only. */
  isWhole(resource: ConfigurationResource): boolean {
    return this.kept.whole.includes(resource);
  }

  /** Whether a record was there before the file was known to say the same as the organization, and not in it. */
  isUnmanaged(id: string): boolean {
    this.unmanaged ??= new Set(this.kept.unmanaged);
    return this.unmanaged.has(id);
  }

  records(resource: ConfigurationResource): BaseRecord[] {
    return Object.entries(this.kept.records[resource] ?? {}).map(([id, data]) => ({ resource, id, data }));
  }

  getData(resource: ConfigurationResource, id: string): Data | undefined {
    return this.kept.records[resource]?.[id];
  }

  /** Finds a record of the base with this label that no longer exists. */
  findDeleted(
    resource: ConfigurationResource,
    label: string,
    present: (id: string) => boolean,
  ): BaseRecord | undefined {
    return this.records(resource).find(
      ({ id, data }) => getDataLabel(resource, data) === label && !present(id),
    );
  }
}

function getBasePath({ file, baseUrl, organizationId }: BaseKey): string {
  const name = JSON.stringify([file, baseUrl, organizationId]);
  return join(
    stateDirectory(),
    'bases',
    `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.json`,
  );
}

async function readStoredBase(key: BaseKey): Promise<StoredBase | undefined> {
  const found = shape.safeParse(await readJson(getBasePath(key)));
  return found.success ? found.data : undefined;
}

export async function readBase(key: BaseKey): Promise<SyncBase | undefined> {
  const stored = await readStoredBase(key);
  return stored && new SyncBase(stored);
}

/** The file that a plan was made from, if it has a history, and the base that the plan was compared with. */
export interface PlannedFrom extends Omit<BaseKey, 'file'> {
  readonly file: string | null;
  /** The stamp of the base; null if there was none. */
  readonly base: string | null;
}

/** The base that belongs to a plan; undefined for standard input. */
export function findBaseKey({ file, baseUrl, organizationId }: PlannedFrom): BaseKey | undefined {
  return file === null ? undefined : { file, baseUrl, organizationId };
}

/** Whether file and organization were compared again, by an apply or an export, since a plan was made. */
export async function isBaseNewer(plan: PlannedFrom): Promise<boolean> {
  const key = findBaseKey(plan);
  return key !== undefined && ((await readBase(key))?.stamp ?? null) !== plan.base;
}

/** Adds to the base what is now the same on both sides. */
export async function updateBase(
  key: BaseKey,
  { whole, records, gone, unmanaged = [] }: BaseUpdate,
): Promise<void> {
  const stored = await readStoredBase(key);
  const all: StoredBase['records'] = structuredClone(stored?.records ?? {});
  for (const { resource, id } of gone) delete all[resource]?.[id];
  for (const { resource, id, data } of records) {
    all[resource] ??= {};
    all[resource][id] = data;
  }
  await writeJson(getBasePath(key), {
    format: 'orgchat-base',
    organizationId: key.organizationId,
    stamp: randomUUID(),
    whole: [...new Set([...(stored?.whole ?? []), ...whole])],
    records: all,
    unmanaged: [...new Set([...(stored?.unmanaged ?? []), ...unmanaged])],
  });
}

/** Puts these resources, as both sides now have them, in place of what was known of them. */
export async function replaceBase(
  key: BaseKey,
  resources: readonly ConfigurationResource[],
  records: readonly BaseRecord[],
): Promise<void> {
  const base = await readBase(key);
  const before = resources.flatMap((resource) => base?.records(resource) ?? []);
  await updateBase(key, { whole: resources, records, gone: before });
}
