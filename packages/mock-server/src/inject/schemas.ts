import * as z from 'zod';
import { memoize } from '../memoize.ts';
import { seedSchemas } from '../seed/schema.ts';

/**
 * What the calls accept that inject a record: the shapes of seeds, in which times, ids and more may be omitted. Made on
 * first use, because a mock that nobody injects into does not need them.
 */
export const injectionSchemas = memoize(() => {
  const { friend, message, enrollment, submission, click, project, document, key, site } =
    seedSchemas().parts;
  const time = message.shape.sentAt.optional();

  const messageInput = message
    .extend({ direction: message.shape.direction.default('incoming'), sentAt: time })
    .meta({ id: 'MessageInput', description: 'A message. Default: incoming, now.' });

  const documentInput = document
    .extend({ updatedAt: time })
    .meta({ id: 'DocumentInput', description: 'A Studio document. Default: changed now.' });

  return {
    friend: friend
      .extend({
        accountId: friend.shape.accountId.optional(),
        userId: friend.shape.userId.optional(),
        messages: z.array(messageInput).default([]),
        automations: z.array(enrollment.extend({ enrolledAt: time })).default([]),
      })
      .meta({
        id: 'FriendInput',
        description: 'A friend. Default: of the first account, with a new userId.',
      }),
    message: messageInput,
    submission: submission
      .extend({
        accountId: submission.shape.accountId.optional(),
        userId: submission.shape.userId.optional(),
        submittedAt: time,
      })
      .meta({
        id: 'SubmissionInput',
        description: 'A form submission. Default: from the newest friend, now.',
      }),
    click: click
      .extend({ clickedAt: time })
      .meta({ id: 'ClickInput', description: 'A link click. Default: by an unknown visitor, now.' }),
    project: project
      .extend({ updatedAt: time, documents: z.array(documentInput).default([]) })
      .meta({ id: 'ProjectInput', description: 'A Studio project. Default: changed now.' }),
    document: documentInput,
    site: site
      .extend({ id: site.shape.id.optional() })
      .meta({ id: 'SiteInput', description: 'A site. Default: with a new id.' }),
    key: key
      .extend({ key: key.shape.key.optional() })
      .meta({ id: 'KeyInput', description: 'An API key. Default: with a new text.' }),
  };
});
