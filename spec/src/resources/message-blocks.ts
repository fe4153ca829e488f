import * as z from 'zod';
import { limits } from '../limits.ts';
import { hexColor, text, uri, uuid } from '../primitives.ts';

export const cardAction = z
  .discriminatedUnion('type', [
    z
      .strictObject({ type: z.literal('uri'), uri })
      .meta({ id: 'CardUriAction', description: 'Opens an address.' }),
    z
      .strictObject({ type: z.literal('message'), text: text(1, limits.messageActionText) })
      .meta({ id: 'CardMessageAction', description: 'Sends a text as the friend.' }),
  ])
  .meta({ id: 'CardAction', description: 'What a button of a card does.' });

export const card = z
  .strictObject({
    imageId: uuid.nullable().meta({ description: 'An image of the organization, or null for none.' }),
    title: text(1, limits.cardTitle),
    text: text(0, limits.cardText),
    buttons: z
      .array(z.strictObject({ label: text(1, limits.buttonLabel), action: cardAction }))
      .max(limits.cardButtons)
      .meta({ description: 'Up to three buttons.' }),
  })
  .meta({ id: 'Card', description: 'One card of a card block.' });

/** SPECIFICATION.md, section 5.11: the blocks of `content` and `messages`. */
export const messageBlock = z
  .discriminatedUnion('type', [
    z
      .strictObject({ type: z.literal('text'), text: text(1, limits.longText) })
      .meta({ id: 'TextBlock', description: 'A plain text.' }),
    z
      .strictObject({ type: z.literal('image'), imageId: uuid })
      .meta({ id: 'ImageBlock', description: 'An image.' }),
    z
      .strictObject({
        type: z.literal('card'),
        altText: text(1, limits.cardAltText).meta({
          description: 'Text shown where cards are not supported.',
        }),
        color: hexColor.nullable(),
        cards: z.array(card).min(1).max(limits.cards),
      })
      .meta({ id: 'CardBlock', description: 'A row of cards.' }),
  ])
  .meta({ id: 'MessageBlock', description: 'One block of a message.' });

export const messageBlocks = z
  .array(messageBlock)
  .min(1)
  .max(limits.messageBlocks)
  .meta({ description: 'One to five message blocks.' });
