import * as z from 'zod';
import { limits } from '../limits.ts';
import { integer, text, timeOfDay, uuid } from '../primitives.ts';
import { messageBlocks } from './message-blocks.ts';

const tagCondition = <T extends 'tag_exists' | 'tag_not_exists'>(type: T) =>
  z.strictObject({ type: z.literal(type), tagId: uuid.meta({ description: 'The tag to look for.' }) });

const metadataCondition = <T extends 'metadata_equals' | 'metadata_not_equals'>(type: T) =>
  z.strictObject({
    type: z.literal(type),
    key: text(1, limits.nameLength).meta({ description: 'The key of the metadata.' }),
    value: text(0, limits.metadataValueLength).meta({ description: 'The value to compare with.' }),
  });

const stepCondition = z
  .discriminatedUnion('type', [
    tagCondition('tag_exists').meta({ id: 'TagExistsCondition', description: 'The friend has the tag.' }),
    tagCondition('tag_not_exists').meta({
      id: 'TagNotExistsCondition',
      description: 'The friend lacks the tag.',
    }),
    metadataCondition('metadata_equals').meta({
      id: 'MetadataEqualsCondition',
      description: 'The metadata has this value.',
    }),
    metadataCondition('metadata_not_equals').meta({
      id: 'MetadataNotEqualsCondition',
      description: 'The metadata has another value.',
    }),
  ])
  .meta({ id: 'StepCondition', description: 'When a step is taken.' });

const scenarioStep = z
  .strictObject({
    delayValue: integer(0, limits.stepDelay).meta({ description: 'How long to wait, in delayUnit.' }),
    delayUnit: z.enum(['minutes', 'hours', 'days']).meta({ description: 'The unit of delayValue.' }),
    sendTime: timeOfDay.nullable().meta({ description: 'The time of day to send at, HH:MM, or null.' }),
    text: text(1, limits.longTextLength).meta({ description: 'The text of the step.' }),
    content: messageBlocks.optional(),
    timingMode: z
      .enum(['relative', 'elapsed', 'absolute_time'])
      .optional()
      .meta({ description: 'How delay and time of day are interpreted.' }),
    condition: stepCondition.nullable().optional(),
    nextStepOnFalse: integer(0, limits.nextStepIndex)
      .nullable()
      .optional()
      .meta({ description: 'The next step if the condition is false, or null.' }),
  })
  .meta({ id: 'ScenarioStep', description: 'One step of a scenario.' });

/** SPECIFICATION.md, section 5.4. */
export const scenarioData = z
  .strictObject({
    name: text(1, limits.nameLength).meta({ description: 'The name; it is also the label of the record.' }),
    accountId: uuid
      .nullable()
      .meta({ description: 'The account this belongs to, or null for every account.' }),
    trigger: z.enum(['follow', 'tag', 'manual']).meta({ description: 'What enrolls a friend.' }),
    triggerTagId: uuid.nullable().meta({ description: 'The tag that enrolls a friend, or null.' }),
    active: z.boolean().meta({ description: 'Whether friends are enrolled.' }),
    steps: z
      .array(scenarioStep)
      .min(1)
      .max(limits.stepsPerScenario)
      .meta({ description: `1 to ${limits.stepsPerScenario} steps.` }),
  })
  .meta({
    id: 'ScenarioData',
    description: 'A series of messages a friend goes through.',
    examples: [
      {
        name: 'Welcome series',
        accountId: null,
        trigger: 'follow',
        triggerTagId: null,
        active: true,
        steps: [{ delayValue: 1, delayUnit: 'days', sendTime: '09:30', text: 'Good morning.' }],
      },
    ],
  });
