import * as z from 'zod';
import { limits } from '../limits.ts';
import { friendId, revision, text, uuid } from '../primitives.ts';
import { configurationData } from '../resources/configurations.ts';
import { friendData } from '../resources/data.ts';
import {
  type ConfigurationResource,
  deletableResources,
  pascalCase,
  singularNames,
  withArticle,
} from '../resources/names.ts';
import { changeResult } from '../resources/records.ts';

const guard = {
  expectedRevision: revision,
  expectedLabel: text(0, limits.expectedLabelLength).meta({
    description: 'The label of the record as last read.',
  }),
};
const id = uuid.meta({ description: 'The record to change.' });
const friend = { accountId: uuid.meta({ description: 'The account of the friend.' }), userId: friendId };

const create = <R extends ConfigurationResource>(resource: R) =>
  z
    .strictObject({ action: z.literal(`create-${resource}` as const), data: configurationData[resource] })
    .meta({
      id: pascalCase(`create-${resource}`),
      description: `Creates ${withArticle(singularNames[resource])}.`,
    });

const update = <R extends ConfigurationResource>(resource: R) =>
  z
    .strictObject({
      action: z.literal(`update-${resource}` as const),
      id,
      ...guard,
      data: configurationData[resource],
    })
    .meta({
      id: pascalCase(`update-${resource}`),
      description: `Replaces the data of ${withArticle(singularNames[resource])}.`,
    });

/** SPECIFICATION.md, section 4.4: one variant per action; unknown fields are rejected. */
export const chatChange = z
  .discriminatedUnion('action', [
    create('tags'),
    create('templates'),
    create('auto-replies'),
    create('scenarios'),
    create('forms'),
    create('rich-menus'),
    create('links'),
    create('routes'),
    create('broadcasts'),
    update('tags'),
    update('templates'),
    update('auto-replies'),
    update('scenarios'),
    update('forms'),
    update('rich-menus'),
    update('links'),
    update('routes'),
    update('broadcasts'),
    z
      .strictObject({
        action: z.literal('delete-configuration'),
        resource: z
          .enum(deletableResources)
          .meta({ description: 'The resource of the record. Rich menus cannot be deleted.' }),
        id,
        ...guard,
      })
      .meta({ id: 'DeleteConfiguration', description: 'Deletes a record.' }),
    z
      .strictObject({ action: z.literal('update-friend'), ...friend, ...guard, data: friendData })
      .meta({ id: 'UpdateFriend', description: 'Changes the notes or the state of a friend.' }),
    z
      .strictObject({
        action: z.literal('set-friend-tags'),
        ...friend,
        ...guard,
        tagIds: z
          .array(uuid)
          .max(limits.tagsPerRecord)
          .meta({ description: `The new set of tags of the friend, up to ${limits.tagsPerRecord}.` }),
      })
      .meta({ id: 'SetFriendTags', description: 'Replaces the tags of a friend. May start notifications.' }),
    z
      .strictObject({
        action: z.literal('enroll-scenario'),
        ...friend,
        scenarioId: uuid.meta({ description: 'The scenario to enroll the friend in.' }),
      })
      .meta({
        id: 'EnrollScenario',
        description: 'Enrolls a friend in a scenario. May start notifications.',
      }),
  ])
  .meta({ id: 'ChatChange', description: 'One change, selected by action.' });
export type ChatChange = z.output<typeof chatChange>;
export type ChatAction = ChatChange['action'];

export const changeChatInput = z
  .strictObject({
    operationId: uuid.meta({
      description:
        'A stable identifier of one intended change. Send it again with the same input if the result was lost.',
    }),
    change: chatChange,
  })
  .meta({
    id: 'ChangeChatInput',
    description: 'An intended change and its identifier.',
    examples: [
      {
        operationId: '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21',
        change: { action: 'create-tags', data: { name: 'VIP', color: 'pink' } },
      },
    ],
  });
export type ChangeChatInput = z.output<typeof changeChatInput>;

export const changeChatResult = z
  .object({
    ok: z.literal(true),
    applied: z.boolean().meta({ description: 'Whether the change is applied.' }),
    replayed: z.boolean().meta({ description: 'Whether this answer was stored by an earlier request.' }),
    auditRecorded: z.boolean().meta({ description: 'Whether the change was recorded in the audit log.' }),
    result: z
      .union([changeResult, z.unknown().meta({ description: 'Any other value.' })])
      .optional()
      .meta({ description: 'Any value. That it is a ChangeResult is an assumption (see DECISIONS.md).' }),
  })
  .meta({
    id: 'ChangeChatResult',
    description: 'The result of the change.',
    examples: [{ ok: true, applied: true, replayed: false, auditRecorded: true }],
  });
