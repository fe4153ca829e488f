import * as z from 'zod';
import { limits } from '../limits.ts';
import { friendId, integer, text, uuid } from '../primitives.ts';
import { type ConfigurationResource, pascalCase } from '../resources/names.ts';
import { recordList, singleRecord } from '../resources/records.ts';

const accountId = uuid.meta({ description: 'The id of an account, from "accounts".' });
const offset = integer(0, limits.offset).optional().meta({ description: 'Number of records to skip.' });
const limit = integer(1, limits.pageSize)
  .optional()
  .meta({ description: `Maximum number of records to return. Default: ${limits.pageSize}.` });

const readConfiguration = <R extends ConfigurationResource>(resource: R) =>
  z
    .strictObject({
      resource: z.literal(resource),
      id: uuid.optional().meta({ description: 'The id of one record. Without it, a list is returned.' }),
      offset,
      limit,
    })
    .meta({
      id: `Read${pascalCase(resource)}`,
      description: 'Reads records, newest first, or one record by its id.',
    });

/** SPECIFICATION.md, section 4.3: one variant per resource; unknown fields are rejected. */
export const chatReadInput = z
  .discriminatedUnion('resource', [
    z
      .strictObject({ resource: z.literal('accounts') })
      .meta({ id: 'ReadAccounts', description: 'Reads the accounts that the key can access.' }),
    readConfiguration('tags'),
    readConfiguration('templates'),
    readConfiguration('auto-replies'),
    readConfiguration('scenarios'),
    readConfiguration('forms'),
    readConfiguration('rich-menus'),
    readConfiguration('links'),
    readConfiguration('routes'),
    readConfiguration('broadcasts'),
    z
      .strictObject({
        resource: z.literal('friends'),
        accountId: accountId.optional(),
        userId: friendId.optional(),
        search: text(0, limits.friendSearchLength)
          .optional()
          .meta({ description: 'Part of a display name.' }),
        offset,
        limit,
      })
      .meta({ id: 'ReadFriends', description: 'Reads friends, or one friend by accountId and userId.' }),
    z
      .strictObject({ resource: z.literal('conversations'), accountId: accountId.optional() })
      .meta({ id: 'ReadConversations', description: 'Reads the latest conversations.' }),
    z
      .strictObject({ resource: z.literal('messages'), accountId, userId: friendId, limit })
      .meta({ id: 'ReadMessages', description: 'Reads the latest messages with a friend.' }),
    z
      .strictObject({
        resource: z.literal('form-submissions'),
        id: uuid.meta({ description: 'The id of a form, from "forms".' }),
      })
      .meta({ id: 'ReadFormSubmissions', description: 'Reads the latest submissions of a form.' }),
    z
      .strictObject({ resource: z.literal('friend-automations'), accountId, userId: friendId })
      .meta({ id: 'ReadFriendAutomations', description: 'Reads the scenarios a friend is or was in.' }),
    z
      .strictObject({
        resource: z.literal('link-clicks'),
        id: uuid.meta({ description: 'The id of a link, from "links".' }),
      })
      .meta({ id: 'ReadLinkClicks', description: 'Reads the latest clicks on a link.' }),
  ])
  .meta({ id: 'ChatReadInput', description: 'The read, selected by resource.' });
export type ChatReadInput = z.output<typeof chatReadInput>;

/**
 * The contract only says: an object with any keys. The other two variants show what to expect (DECISIONS.md, assumed
 * shapes) and forbid nothing.
 */
export const chatReadResult = z.union([recordList, singleRecord, z.record(z.string(), z.unknown())]).meta({
  id: 'ChatReadResult',
  description:
    'An object with arbitrary keys. RecordList and SingleRecord are assumptions (see DECISIONS.md).',
  examples: [{ records: [], total: 0, limited: false }],
});
