import * as z from 'zod';
import { limits } from '../limits.ts';
import { hexColor, text, uri, uuid } from '../primitives.ts';

const cardAction = z
  .discriminatedUnion('type', [
    z
      .strictObject({ type: z.literal('uri'), uri })
      .meta({ id: 'CardUriAction', description: 'Opens an address.' }),
    z
      .strictObject({ type: z.literal('message'), text: text(1, limits.messageActionTextLength) })
      .meta({ id: 'CardMessageAction', description: 'Sends a text as the friend.' }),
  ])
  .meta({ id: 'CardAction', description: 'What a button of a card does.' });

const card = z
  .strictObject({
    imageId: uuid.nullable().meta({ description: 'An image of the organization, or null for none.' }),
    title: text(1, limits.cardTitleLength),
    text: text(0, limits.cardTextLength),
    buttons: z
      .array(z.strictObject({ label: text(1, limits.buttonLabelLength), action: cardAction }))
      .max(limits.buttonsPerCard)
      .meta({ description: `Up to ${limits.buttonsPerCard} buttons.` }),
  })
  .meta({ id: 'Card', description: 'One card of a card block.' });

/** SPECIFICATION.md, section 5.11: the blocks of `content` and `messages`. */
const messageBlock = z
  .discriminatedUnion('type', [
    z
      .strictObject({ type: z.literal('text'), text: text(1, limits.longTextLength) })
      .meta({ id: 'TextBlock', description: 'A plain text.' }),
    z
      .strictObject({ type: z.literal('image'), imageId: uuid })
      .meta({ id: 'ImageBlock', description: 'An image.' }),
    z
      .strictObject({
        type: z.literal('card'),
        altText: text(1, limits.cardAltTextLength).meta({
          description: 'Text shown where cards are not supported.',
        }),
        color: hexColor.nullable(),
        cards: z.array(card).min(1).max(limits.cardsPerBlock),
      })
      .meta({ id: 'CardBlock', description: 'A row of cards.' }),
  ])
  .meta({ id: 'MessageBlock', description: 'One block of a message.' });

export const messageBlocks = z
  .array(messageBlock)
  .min(1)
  .max(limits.blocksPerMessage)
  .meta({ description: `1 to ${limits.blocksPerMessage} message blocks.` });
