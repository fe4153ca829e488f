import { type ConfigurationResource, configurationData, friendData } from '@orgchat/spec';
import type * as z from 'zod';
import { memoize } from '../memoize.ts';
import { seedSchemas } from '../seed/schema.ts';

/* What an editor outside the API may change of a record. */

export const friendEdit = memoize(() => {
  const { displayName, tagIds } = seedSchemas().parts.friend.shape;
  return friendData.extend({ displayName: displayName.optional(), tagIds: tagIds.unwrap().optional() });
});

const partialData = memoize(
  () =>
    new Map<ConfigurationResource | 'friends', z.ZodType<Record<string, unknown>>>([
      ...Object.entries(configurationData).map(
        ([resource, schema]) =>
          [resource as ConfigurationResource, (schema as z.ZodObject).partial()] as const,
      ),
      ['friends', friendEdit()],
    ]),
);

/** Some fields of a record, as they would be stored; undefined if records of the resource cannot have them. */
export function parseEdit(resource: string | undefined, data: unknown): Record<string, unknown> | undefined {
  const schema = partialData().get(resource as ConfigurationResource);
  return schema?.safeParse(data).data;
}
