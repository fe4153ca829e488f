import { createHash, randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { getDataLabel, isSameLabel } from '@orgchat/sdk/internal';
import { type ConfigurationResource, configurationResources } from '@orgchat/spec';
import * as z from 'zod';
import type { Data } from '../resources/fields.ts';
import { stateDirectory } from '../settings/directories.ts';
import { readJson, writeJson } from '../settings/private-files.ts';

/*
 * The base is what file and organization last had in common, record by record. Export and apply store it. As in a
 * three-way merge, it shows which side made a difference: the file or the organization.
 */

const shape = z.object({
  format: z.literal('orgchat-base'),
  organizationId: z.string(),
  /** A new random value with each update, so that a change is detected without a clock. */
  stamp: z.string(),
  /** Resources whose records were once all equal in file and organization. */
  whole: z.array(z.enum(configurationResources)),
  /** By resource, then by id. */
  records: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))),
  /** Ids of records that were in the organization before the first apply of the file, and not in the file. */
  unmanagedAtFirstApply: z.array(z.string()).optional(),
});
type StoredBase = z.output<typeof shape>;

/**
 * The absolute path under which data about a file is stored. Null for standard input, a pipe or another device: the next one
 * of that name has another content. `/dev/stdin` can be a regular file, too.
 */
export async function findHistoryPath(name: string): Promise<string | null> {
  const path = resolve(name);
  if (name === '-' || /^\/(?:dev|proc)\//.test(path)) return null;
  const facts = await stat(path).catch(() => undefined);
  return facts === undefined || facts.isFile() ? path : null;
}

/** Identifies a base: the file, the organization and its server. */
export interface BaseKey {
  /** The absolute path. */
  readonly file: string;
  readonly baseUrl: string;
  readonly organizationId: string;
}

export interface BaseRecord {
  readonly resource: ConfigurationResource;
  readonly id: string;
  readonly data: Data;
}

/** What an export or an apply made equal on both sides. */
export interface BaseUpdate {
  /** Resources whose records are now all equal. */
  readonly whole: readonly ConfigurationResource[];
  readonly records: readonly BaseRecord[];
  /** Records that neither side has any more. */
  readonly gone: readonly Pick<BaseRecord, 'resource' | 'id'>[];
  /** Ids of records that were in the organization before the first apply, and not in the file. */
  readonly unmanagedAtFirstApply?: readonly string[];
}

export class SyncBase {
  private unmanagedAtFirstApply: ReadonlySet<string> | undefined;

  constructor(private readonly stored: StoredBase) {}

  get stamp(): string {
    return this.stored.stamp;
  }

  /** Whether all records of a resource were once equal. A record that is not in the base is then new on one side. */
  isWhole(resource: ConfigurationResource): boolean {
    return this.stored.whole.includes(resource);
  }

  /** Whether a record was in the organization before the first apply of the file, and not in the file. */
  wasUnmanagedAtFirstApply(id: string): boolean {
    this.unmanagedAtFirstApply ??= new Set(this.stored.unmanagedAtFirstApply);
    return this.unmanagedAtFirstApply.has(id);
  }

  records(resource: ConfigurationResource): BaseRecord[] {
    return Object.entries(this.stored.records[resource] ?? {}).map(([id, data]) => ({ resource, id, data }));
  }

  getData(resource: ConfigurationResource, id: string): Data | undefined {
    return this.stored.records[resource]?.[id];
  }

  /** Finds a record of the base with this label that no longer exists. */
  findDeleted(
    resource: ConfigurationResource,
    label: string,
    present: (id: string) => boolean,
  ): BaseRecord | undefined {
    return this.records(resource).find(
      ({ id, data }) => isSameLabel(getDataLabel(resource, data), label) && !present(id),
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

/** The base that belongs to a plan; undefined if what it was made from has no history. */
export function findBaseKey({
  file,
  baseUrl,
  organizationId,
}: Omit<PlannedFrom, 'base'>): BaseKey | undefined {
  return file === null ? undefined : { file, baseUrl, organizationId };
}

/** Whether file and organization were compared again, by an apply or an export, since a plan was made. */
export async function isBaseNewer(plan: PlannedFrom): Promise<boolean> {
  const key = findBaseKey(plan);
  return key !== undefined && ((await readBase(key))?.stamp ?? null) !== plan.base;
}

/** Adds to the base what is now the same on both sides. */
export async function updateBase(key: BaseKey, update: BaseUpdate): Promise<void> {
  await writeBase(key, await readStoredBase(key), update);
}

/** Begins the base of a new file, and forgets that of an earlier file at its path. */
export async function createBase(key: BaseKey, update: Omit<BaseUpdate, 'gone'>): Promise<void> {
  await writeBase(key, undefined, { ...update, gone: [] });
}

async function writeBase(
  key: BaseKey,
  stored: StoredBase | undefined,
  { whole, records, gone, unmanagedAtFirstApply = [] }: BaseUpdate,
): Promise<void> {
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
    unmanagedAtFirstApply: [...new Set([...(stored?.unmanagedAtFirstApply ?? []), ...unmanagedAtFirstApply])],
  });
}

/** Replaces everything that the base has of these resources. */
export async function replaceBase(
  key: BaseKey,
  resources: readonly ConfigurationResource[],
  records: readonly BaseRecord[],
): Promise<void> {
  const base = await readBase(key);
  const before = resources.flatMap((resource) => base?.records(resource) ?? []);
  await updateBase(key, { whole: resources, records, gone: before });
}
