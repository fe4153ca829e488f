import * as z from 'zod';
import { limits } from '../limits.ts';
import { hexColor, integer, text, uri, uuid } from '../primitives.ts';

const label = text(1, limits.buttonLabelLength).meta({ description: 'The label of the area.' });

const areaAction = z
  .discriminatedUnion('type', [
    z
      .strictObject({ type: z.literal('uri'), uri, label })
      .meta({ id: 'AreaUriAction', description: 'Opens an address.' }),
    z
      .strictObject({ type: z.literal('message'), text: text(1, limits.messageActionTextLength), label })
      .meta({ id: 'AreaMessageAction', description: 'Sends a text as the friend.' }),
    z
      .strictObject({
        type: z.literal('switch'),
        menuId: uuid.meta({ description: 'The id of a rich menu.' }),
        label,
      })
      .meta({ id: 'AreaSwitchAction', description: 'Switches to another rich menu.' }),
  ])
  .meta({ id: 'AreaAction', description: 'What an area of a rich menu does.' });

const richMenuArea = z
  .strictObject({
    x: integer(0).meta({ description: 'Left edge, in pixels.' }),
    y: integer(0).meta({ description: 'Top edge, in pixels.' }),
    width: integer(1).meta({ description: 'Width, in pixels.' }),
    height: integer(1).meta({ description: 'Height, in pixels.' }),
    action: areaAction,
  })
  .meta({ id: 'RichMenuArea', description: 'One area of a rich menu.' });

const richMenuDesign = z
  .strictObject({
    style: z.enum(['tiles', 'cards', 'bold']),
    color: hexColor,
    areas: z
      .array(
        z.strictObject({
          icon: text(0, limits.designIconLength)
            .nullable()
            .meta({ description: 'The name of an icon, or null.' }),
          caption: text(0, limits.designCaptionLength).meta({ description: 'The caption below the icon.' }),
        }),
      )
      .max(limits.areasPerRichMenu),
  })
  .meta({ id: 'RichMenuDesign', description: 'How a rich menu is drawn.' });

/** SPECIFICATION.md, section 5.6. */
export const richMenuData = z
  .strictObject({
    accountId: uuid.meta({ description: 'The account this belongs to.' }),
    name: text(1, limits.nameLength).meta({ description: 'The name; it is also the label of the record.' }),
    chatBarText: text(1, limits.chatBarTextLength).meta({
      description: 'The text of the bar below the chat.',
    }),
    size: z.enum(['large', 'compact']).meta({ description: 'The height of the menu.' }),
    template: text(1, limits.nameLength).meta({ description: 'The layout the areas come from.' }),
    areas: z
      .array(richMenuArea)
      .min(1)
      .max(limits.areasPerRichMenu)
      .meta({ description: `1 to ${limits.areasPerRichMenu} areas.` }),
    design: richMenuDesign.nullable().optional(),
  })
  .meta({
    id: 'RichMenuData',
    description: 'A rich menu. It is never published by this API.',
    examples: [
      {
        accountId: '0b9d7c52-4a0f-4a4e-9d77-3f6c2b1a8e10',
        name: 'Main menu',
        chatBarText: 'Menu',
        size: 'large',
        template: 'one',
        areas: [
          {
            x: 0,
            y: 0,
            width: 2500,
            height: 1686,
            action: { type: 'uri', uri: 'https://example.com', label: 'Open' },
          },
        ],
      },
    ],
  });
