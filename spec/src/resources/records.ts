import * as z from 'zod';
import { limits } from '../limits.ts';
import { friendId, moment, revision, uuid } from '../primitives.ts';
import { configurationData } from './configurations.ts';
import { friendStatuses } from './data.ts';

/*
 * The specification does not show what reads and changes return. This file is the only place with the shapes that the
 * toolkit assumes (DECISIONS.md, assumed shapes).
 */

const label = z.string().meta({ description: 'The label; it is sent back as expectedLabel.' });
const createdAt = moment.meta({ description: 'When the record was created.' });
const updatedAt = moment.meta({ description: 'When the record was last changed.' });
const accountId = uuid.meta({ description: 'An account.' });

const guarded = { revision, label };
const stamped = { createdAt, updatedAt };

function configurationRecord<S extends z.ZodRawShape>(id: string, data: z.ZodObject<S>, what: string) {
  return z
    .object({ id: uuid, ...guarded, ...data.shape, ...stamped })
    .meta({ id, description: `${what} as it is read: its data with identity, guards and times.` });
}

const account = z
  .object({ id: uuid, name: z.string(), createdAt })
  .meta({ id: 'AccountRecord', description: 'An account of the messaging platform.' });

const friend = z
  .object({
    accountId,
    userId: friendId,
    ...guarded,
    displayName: z.string().meta({ description: 'The name the friend shows; also the label.' }),
    status: z.enum(friendStatuses).meta({ description: 'The state of the conversation.' }),
    notes: z.string().nullable().meta({ description: 'Notes of the members, or null.' }),
    tagIds: z.array(uuid).meta({ description: 'The tags of the friend.' }),
    ...stamped,
  })
  .meta({ id: 'FriendRecord', description: 'A friend of an account.' });

const conversation = z
  .object({
    accountId,
    userId: friendId,
    displayName: z.string(),
    status: z.enum(friendStatuses),
    lastMessageText: z.string(),
    lastMessageAt: moment,
  })
  .meta({ id: 'ConversationRecord', description: 'The conversation with a friend.' });

const message = z
  .object({
    id: uuid,
    accountId,
    userId: friendId,
    direction: z.enum(['incoming', 'outgoing']).meta({ description: 'incoming: written by the friend.' }),
    text: z.string(),
    sentAt: moment,
  })
  .meta({ id: 'MessageRecord', description: 'A message of a conversation.' });

const formSubmission = z
  .object({
    id: uuid,
    formId: uuid,
    accountId,
    userId: friendId,
    values: z
      .record(z.string(), z.union([z.string(), z.array(z.string())]))
      .meta({ description: 'The answers by field key; several for a checkbox.' }),
    submittedAt: moment,
  })
  .meta({ id: 'FormSubmissionRecord', description: 'A form as a friend filled it in.' });

const friendAutomation = z
  .object({
    id: uuid,
    accountId,
    userId: friendId,
    scenarioId: uuid,
    scenarioName: z.string(),
    status: z.enum(['active', 'completed', 'cancelled']),
    nextStep: z.int().meta({ description: 'The index of the step that comes next.' }),
    enrolledAt: moment,
  })
  .meta({
    id: 'FriendAutomationRecord',
    description: 'A friend in a scenario; also the result of an enrollment.',
  });

const linkClick = z
  .object({
    id: uuid,
    linkId: uuid,
    accountId: uuid.nullable().meta({ description: 'The account, or null if unknown.' }),
    userId: friendId.nullable().meta({ description: 'The friend, or null if unknown.' }),
    clickedAt: moment,
  })
  .meta({ id: 'LinkClickRecord', description: 'A click on a link.' });

export const deletion = z
  .object({ id: uuid, deleted: z.literal(true) })
  .meta({ id: 'DeletionResult', description: 'The result of a deletion.' });

/** The record of each readable resource. */
export const records = {
  accounts: account,
  tags: configurationRecord('TagRecord', configurationData.tags, 'A tag'),
  templates: configurationRecord('TemplateRecord', configurationData.templates, 'A template'),
  'auto-replies': configurationRecord('AutoReplyRecord', configurationData['auto-replies'], 'An auto-reply'),
  scenarios: configurationRecord('ScenarioRecord', configurationData.scenarios, 'A scenario'),
  forms: configurationRecord('FormRecord', configurationData.forms, 'A form'),
  'rich-menus': configurationRecord('RichMenuRecord', configurationData['rich-menus'], 'A rich menu'),
  links: configurationRecord('LinkRecord', configurationData.links, 'A link'),
  routes: configurationRecord('RouteRecord', configurationData.routes, 'A route'),
  broadcasts: z
    .object({
      id: uuid,
      ...guarded,
      ...configurationData.broadcasts.shape,
      status: z.literal('draft').meta({ description: 'Always draft: nothing is sent by this API.' }),
      ...stamped,
    })
    .meta({
      id: 'BroadcastRecord',
      description: 'A broadcast as it is read: its data with identity, guards, state and times.',
    }),
  friends: friend,
  conversations: conversation,
  messages: message,
  'form-submissions': formSubmission,
  'friend-automations': friendAutomation,
  'link-clicks': linkClick,
} as const;

/** The record type of each readable resource. */
export type Records = { [R in keyof typeof records]: z.output<(typeof records)[R]> };

const anyRecord = z
  .union([
    records.accounts,
    records.tags,
    records.templates,
    records['auto-replies'],
    records.scenarios,
    records.forms,
    records['rich-menus'],
    records.links,
    records.routes,
    records.broadcasts,
    records.friends,
    records.conversations,
    records.messages,
    records['form-submissions'],
    records['friend-automations'],
    records['link-clicks'],
  ])
  .meta({ id: 'ChatRecord', description: 'A record of the requested resource.' });

export const recordList = z
  .object({
    records: z.array(anyRecord).meta({ description: `At most ${limits.pageSize} records, newest first.` }),
    total: z.int().meta({ description: 'Total number of records.' }),
    limited: z.boolean().meta({ description: 'Whether more records follow.' }),
  })
  .meta({ id: 'RecordList', description: 'A page of a list.' });

export const singleRecord = z
  .object({ record: anyRecord })
  .meta({ id: 'SingleRecord', description: 'One record, if the request names its id.' });

export const changeResult = z.union([anyRecord, deletion]).meta({
  id: 'ChangeResult',
  description: 'The record after the change, the automation after an enrollment, or the deletion.',
});
