import { type ConfigurationResource, configurationData, friendData, limits, text } from '@orgchat/spec';
import * as z from 'zod';
import { memoize } from '../memoize.ts';

/* What an editor outside the API may change of a record. */

export const friendEdit = memoize(() =>
  friendData.extend({
    displayName: text(1, limits.expectedLabelLength).optional(),
    tagIds: z.array(z.string().toLowerCase()).optional(),
  }),
);

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
