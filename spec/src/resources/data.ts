import * as z from 'zod';
import { limits } from '../limits.ts';
import { text, uuid, webUrl } from '../primitives.ts';
import { messageBlocks } from './message-blocks.ts';

const name = text(1, limits.nameLength).meta({
  description: 'The name; it is also the label of the record.',
});
const accountId = uuid.meta({ description: 'The account this belongs to.' });
const anyAccountId = uuid
  .nullable()
  .meta({ description: 'The account this belongs to, or null for every account.' });
const tagId = uuid.nullable().meta({ description: 'A tag to set, or null.' });
const scenarioId = uuid.nullable().meta({ description: 'A scenario to enter, or null.' });

export const tagColors = ['neutral', 'blue', 'purple', 'brown', 'pink', 'orange', 'green'] as const;

export const tagData = z
  .strictObject({ name, color: z.enum(tagColors).meta({ description: 'The display color of the tag.' }) })
  .meta({ id: 'TagData', description: 'A tag for friends.', examples: [{ name: 'VIP', color: 'pink' }] });

export const templateData = z
  .strictObject({ name, text: text(1, limits.longTextLength).meta({ description: 'The text to send.' }) })
  .meta({
    id: 'TemplateData',
    description: 'A text kept for reuse.',
    examples: [{ name: 'Welcome', text: 'Thank you for adding us.' }],
  });

export const autoReplyData = z
  .strictObject({
    accountId: anyAccountId,
    keyword: text(1, limits.nameLength).meta({
      description: 'The text that messages are matched against; also the label.',
    }),
    matchType: z.enum(['contains', 'exact']).meta({ description: 'How the keyword is matched.' }),
    responseText: text(1, limits.longTextLength).meta({ description: 'The text of the reply.' }),
    content: messageBlocks.optional(),
    active: z.boolean().meta({ description: 'Whether the reply is active.' }),
  })
  .meta({
    id: 'AutoReplyData',
    description: 'A reply to a keyword.',
    examples: [
      {
        accountId: null,
        keyword: 'hours',
        matchType: 'contains',
        responseText: 'We open at nine.',
        active: true,
      },
    ],
  });

export const linkData = z.strictObject({ name, url: webUrl, tagId, scenarioId }).meta({
  id: 'LinkData',
  description: 'A tracked link.',
  examples: [{ name: 'Spring page', url: 'https://example.com/spring', tagId: null, scenarioId: null }],
});

export const routeData = z.strictObject({ accountId, name, tagId, scenarioId }).meta({
  id: 'RouteData',
  description: 'A way by which friends are added.',
  examples: [
    {
      accountId: '0b9d7c52-4a0f-4a4e-9d77-3f6c2b1a8e10',
      name: 'Shop counter',
      tagId: null,
      scenarioId: null,
    },
  ],
});

export const broadcastData = z
  .strictObject({
    accountId,
    title: text(1, limits.nameLength).meta({ description: 'The title; it is also the label of the record.' }),
    messages: messageBlocks,
    target: z
      .enum(['all', 'tags'])
      .meta({ description: 'Who receives the broadcast: all friends, or friends with the tags.' }),
    tagIds: z
      .array(uuid)
      .max(limits.tagsPerRecord)
      .meta({ description: `The tags addressed, up to ${limits.tagsPerRecord}.` }),
    scheduledAt: z.null().meta({ description: 'Always null: scheduling is not accepted.' }),
    accountIds: z
      .array(uuid)
      .min(limits.accountsPerBroadcast.min)
      .max(limits.accountsPerBroadcast.max)
      .nullable()
      .optional()
      .meta({
        description: `${limits.accountsPerBroadcast.min} to ${limits.accountsPerBroadcast.max} accounts to send from, or null.`,
      }),
  })
  .meta({
    id: 'BroadcastData',
    description: 'A broadcast draft. It is never sent by this API.',
    examples: [
      {
        accountId: '0b9d7c52-4a0f-4a4e-9d77-3f6c2b1a8e10',
        title: 'Spring news',
        messages: [{ type: 'text', text: 'Spring is here.' }],
        target: 'all',
        tagIds: [],
        scheduledAt: null,
      },
    ],
  });

export const friendStatuses = ['unread', 'in_progress', 'resolved'] as const;

export const friendData = z
  .strictObject({
    notes: text(0, limits.friendNotesLength)
      .nullable()
      .optional()
      .meta({ description: 'Notes of the members, or null.' }),
    status: z.enum(friendStatuses).optional().meta({ description: 'The state of the conversation.' }),
  })
  .meta({
    id: 'FriendData',
    description: 'The changeable fields of a friend; omitted fields stay.',
    examples: [{ status: 'resolved' }],
  });
