import * as z from 'zod';
import { limits } from '../limits.ts';
import { fieldKey, text, uuid } from '../primitives.ts';

const formField = z
  .strictObject({
    key: fieldKey,
    label: text(1, limits.nameLength).meta({ description: 'The label that the friend sees.' }),
    type: z
      .enum(['text', 'textarea', 'email', 'tel', 'number', 'select', 'radio', 'checkbox', 'date'])
      .meta({ description: 'The kind of input.' }),
    required: z.boolean().meta({ description: 'Whether an answer is required.' }),
    options: z
      .array(text(1, limits.fieldOptionLength))
      .max(limits.optionsPerField)
      .meta({ description: `The choices, up to ${limits.optionsPerField}.` }),
    placeholder: text(0, limits.fieldPlaceholderLength).meta({
      description: 'Text shown in the empty field.',
    }),
  })
  .meta({ id: 'FormField', description: 'One field of a form.' });

/** SPECIFICATION.md, section 5.5. */
export const formData = z
  .strictObject({
    accountId: uuid.meta({ description: 'The account this belongs to.' }),
    name: text(1, limits.nameLength).meta({ description: 'The name; it is also the label of the record.' }),
    title: text(1, limits.nameLength).meta({ description: 'The title friends see.' }),
    description: text(0, limits.formDescriptionLength).meta({ description: 'Text below the title.' }),
    fields: z
      .array(formField)
      .min(1)
      .max(limits.fieldsPerForm)
      .meta({ description: `1 to ${limits.fieldsPerForm} fields.` }),
    submitTagId: uuid.nullable().meta({ description: 'A tag to set on submission, or null.' }),
    submitScenarioId: uuid.nullable().meta({ description: 'A scenario to enter on submission, or null.' }),
    saveToProfile: z.boolean().meta({ description: 'Whether answers are kept with the friend.' }),
    thanksText: text(0, limits.longTextLength).meta({ description: 'Text shown after submission.' }),
    active: z.boolean().meta({ description: 'Whether the form is open.' }),
  })
  .meta({
    id: 'FormDefinitionData',
    description: 'A form friends fill in.',
    examples: [
      {
        accountId: '0b9d7c52-4a0f-4a4e-9d77-3f6c2b1a8e10',
        name: 'Survey',
        title: 'Tell us',
        description: '',
        fields: [
          {
            key: 'mail',
            label: 'Mail',
            type: 'email',
            required: true,
            options: [],
            placeholder: 'you@example.com',
          },
        ],
        submitTagId: null,
        submitScenarioId: null,
        saveToProfile: true,
        thanksText: 'Thank you.',
        active: true,
      },
    ],
  });
