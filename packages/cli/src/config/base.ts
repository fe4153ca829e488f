import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type ConfigurationResource, configurationResources } from '@orgchat/spec';
import * as z from 'zod';
import type { Data } from '../resources/collect-data.ts';
import { readJson, writeJson } from '../settings/files.ts';
import { stateDirectory } from '../settings/paths.ts';
import { labelOfData } from './file/shape.ts';

/*
 * The base is what file and organization were both known to say, record by record, since an export or an apply saw
 * to it. With it a difference can be told apart: did the file change, or did somebody change the organization?
 */

const shape = z.object({
  format: z.literal('orgchat-base'),
  organizationId: z.string(),
  /** Another one whenever something is added, so that a change is seen whatever the clocks say. */
  stamp: z.string(),
  /** Those of which file and organization once said the same as a whole. */
  whole: z.array(z.enum(configurationResources)),
  /** By resource, then by id. */
  records: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))),
  /** Ids of records that were never in the file, and were there when the file was applied for the first time. */
  unmanaged: z.array(z.string()).optional(),
});
type Kept = z.output<typeof shape>;

/** Which file it is, for which organization, and where that is. */
export interface BaseKey {
  /** The whole path. */
  readonly file: string;
  readonly baseUrl: string;
  readonly organizationId: string;
}

export interface Known {
  readonly resource: ConfigurationResource;
  readonly id: string;
  readonly data: Data;
}

/** What was found to be the same on both sides. */
export interface Agreement {
  /** Resources of which now everything is. */
  readonly whole: readonly ConfigurationResource[];
  readonly records: readonly Known[];
  /** Neither side has these any more. */
  readonly gone: readonly Pick<Known, 'resource' | 'id'>[];
  /** Ids of records that were there before the file was known to say the same as the organization. */
  readonly unmanaged?: readonly string[];
}

export class Base {
  private unmanaged: ReadonlySet<string> | undefined;

  constructor(private readonly kept: Kept) {}

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

  records(resource: ConfigurationResource): Known[] {
    return Object.entries(this.kept.records[resource] ?? {}).map(([id, data]) => ({ resource, id, data }));
  }

  dataOf(resource: ConfigurationResource, id: string): Data | undefined {
    return this.kept.records[resource]?.[id];
  }

  /** A record of this label that is none of `present`. */
  lost(resource: ConfigurationResource, label: string, present: (id: string) => boolean): Known | undefined {
    return this.records(resource).find(
      ({ id, data }) => labelOfData(resource, data) === label && !present(id),
    );
  }
}

function pathOf({ file, baseUrl, organizationId }: BaseKey): string {
  const name = JSON.stringify([file, baseUrl, organizationId]);
  return join(
    stateDirectory(),
    'bases',
    `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.json`,
  );
}

async function readKept(key: BaseKey): Promise<Kept | undefined> {
  const found = shape.safeParse(await readJson(pathOf(key)));
  return found.success ? found.data : undefined;
}

export async function readBase(key: BaseKey): Promise<Base | undefined> {
  const kept = await readKept(key);
  return kept && new Base(kept);
}

/** Adds to the base what is now known to be the same on both sides. */
export async function agree(
  key: BaseKey,
  { whole, records, gone, unmanaged = [] }: Agreement,
): Promise<void> {
  const kept = await readKept(key);
  const all: Kept['records'] = structuredClone(kept?.records ?? {});
  for (const { resource, id } of gone) delete all[resource]?.[id];
  for (const { resource, id, data } of records) {
    all[resource] ??= {};
    all[resource][id] = data;
  }
  await writeJson(pathOf(key), {
    format: 'orgchat-base',
    organizationId: key.organizationId,
    stamp: randomUUID(),
    whole: [...new Set([...(kept?.whole ?? []), ...whole])],
    records: all,
    unmanaged: [...new Set([...(kept?.unmanaged ?? []), ...unmanaged])],
  });
}

/** Puts these resources, as both sides now have them, in place of what was known of them. */
export async function agreeWhole(
  key: BaseKey,
  resources: readonly ConfigurationResource[],
  records: readonly Known[],
): Promise<void> {
  const base = await readBase(key);
  const before = resources.flatMap((resource) => base?.records(resource) ?? []);
  await agree(key, { whole: resources, records, gone: before });
}
