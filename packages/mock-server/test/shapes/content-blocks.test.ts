import { card, data, imageBlock, mainMenu, nobody, withCard } from '../../test-support/data.ts';
import { describeRules } from '../../test-support/shape-rules.ts';
import { hexColor, list, nullable, text, uri, uuid } from '../../test-support/shape-values.ts';

/* The content blocks of messages, in a broadcast. */
describeRules([
  { clause: '5.11.1', on: 'broadcasts', at: 'messages.0.text', ...text(1, 5000) },
  {
    clause: '5.11.2',
    on: 'broadcasts',
    at: 'messages.0.imageId',
    data: { ...data.broadcasts, messages: [imageBlock] },
    ...uuid(nobody),
  },
  { clause: '5.11.3', on: 'broadcasts', at: 'messages.0.altText', data: withCard({}), ...text(1, 400) },
  { clause: '5.11.4', on: 'broadcasts', at: 'messages.0.color', data: withCard({}), ...nullable(hexColor) },
  { clause: '5.11.5', on: 'broadcasts', at: 'messages.0.cards', data: withCard({}), ...list(1, 10, card) },
  {
    clause: '5.11.6',
    on: 'broadcasts',
    at: 'messages.0.cards.0.imageId',
    data: withCard({}),
    ...nullable(uuid(nobody)),
  },
  { clause: '5.11.7', on: 'broadcasts', at: 'messages.0.cards.0.title', data: withCard({}), ...text(1, 40) },
  { clause: '5.11.8', on: 'broadcasts', at: 'messages.0.cards.0.text', data: withCard({}), ...text(0, 300) },
  {
    clause: '5.11.9',
    on: 'broadcasts',
    at: 'messages.0.cards.0.buttons',
    data: withCard({}),
    ...list(0, 3, card.buttons[0]),
  },
  {
    clause: '5.11.10',
    on: 'broadcasts',
    at: 'messages.0.cards.0.buttons.0.label',
    data: withCard({}),
    ...text(1, 20),
  },
  {
    clause: '5.11.11',
    on: 'broadcasts',
    at: 'messages.0.cards.0.buttons.0.action',
    data: withCard({}),
    accepts: [{ type: 'message', text: 'x' }],
    rejects: [{ type: 'switch', menuId: mainMenu }, { type: 'uri' }, {}],
  },
  {
    clause: '5.11.12',
    on: 'broadcasts',
    at: 'messages.0.cards.0.buttons.0.action.uri',
    data: withCard({}),
    ...uri,
  },
  {
    clause: '5.11.13',
    on: 'broadcasts',
    at: 'messages.0.cards.0.buttons.0.action.text',
    data: withCard({ buttons: [{ label: 'x', action: { type: 'message', text: 'x' } }] }),
    ...text(1, 300),
  },
]);
