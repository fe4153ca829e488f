import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { ConfigurationResource } from '@orgchat/spec';
import * as z from 'zod';
import type { Data } from '../resources/collect-data.ts';
import { readJson, writeJson } from '../settings/files.ts';
import { stateDirectory } from '../settings/paths.ts';
import { creationOrder } from './order.ts';
import type { Organization } from './organization.ts';

/*
 * The base is what file and organization had in common when they last met, at an export or an apply. With it a
 * difference can be told apart: did the file change, or did somebody change the organization?
 */

const shape = z.object({
  format: z.literal('orgchat-base'),
  organizationId: z.string(),
  /** By resource, then by id. */
  records: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))),
});

export interface Base {
  dataOf(resource: ConfigurationResource, id: string): Data | undefined;
}

function pathOf(file: string, baseUrl: string, organizationId: string): string {
  const name = JSON.stringify([resolve(file), baseUrl, organizationId]);
  return join(
    stateDirectory(),
    'bases',
    `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.json`,
  );
}

export async function readBase(
  file: string,
  baseUrl: string,
  organizationId: string,
): Promise<Base | undefined> {
  const found = shape.safeParse(await readJson(pathOf(file, baseUrl, organizationId)));
  if (!found.success) return undefined;
  const { records } = found.data;
  return { dataOf: (resource, id) => records[resource]?.[id] };
}

export async function writeBase(file: string, baseUrl: string, organization: Organization): Promise<void> {
  const records = Object.fromEntries(
    creationOrder.map((resource) => [
      resource,
      Object.fromEntries(organization.records[resource].map(({ id, data }) => [id, data])),
    ]),
  );
  const path = pathOf(file, baseUrl, organization.id);
  await writeJson(path, { format: 'orgchat-base', organizationId: organization.id, records });
}
